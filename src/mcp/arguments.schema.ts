import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LOCALES } from '../locale/locale.js';
import { moment, slug } from '../resources/parameters.schema.js';

const CATALOGUE = join(import.meta.dirname, '../../data/catalogue');

/** The names of a file of the catalogue, so that a model can choose among them. */
function namesIn(file: string, member: 'key' | 'slug'): string {
  const entries = JSON.parse(readFileSync(join(CATALOGUE, file), 'utf8')) as Record<string, string>[];
  return entries.map((entry) => entry[member]).join(', ');
}

// Arguments of several tools. The descriptions are for a model: an example, and the effect of omitting the argument.

export const localeArgument = z
  .enum(LOCALES)
  .default('en')
  .describe('Language of the result; zh is Simplified Chinese');

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('From the previous result, with the same arguments');

export const limitOf = (most: number, usual: number) =>
  z.number().int().min(1).max(most).default(usual).describe('Items');

/** Names or codes, which the resolver turns into codes. */
export const namedCountries = z
  .string()
  .min(1)
  .max(600)
  .optional()
  .describe('Names or codes of countries or aggregates, separated by commas: JP, Germany, EMU; none: all');
/** What something is called. */
export const nameArgument = z.string().min(1).max(200);

export const coverage = slug.optional().describe(`One of ${namesIn('coverage.json', 'key')}; none: all`);
export const topic = slug.optional().describe(`One of ${namesIn('topics.json', 'slug')}; none: all`);

export const since = moment.optional().describe('Earliest occurredAt, inclusive: 2026-05-01');
export const until = moment.optional().describe('Latest occurredAt, days inclusive; none: no bound');
