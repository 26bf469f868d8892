import { z } from 'zod';
import { LOCALES } from '../locale/locale.js';
import { moment, regionCode, slug } from '../resources/parameters.schema.js';

// Arguments that several tools take, described once, for a model: an example, and what leaving it out means.

export const locale = z
  .enum(LOCALES)
  .default('en')
  .describe('Language of the answer; zh is Simplified Chinese');

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('From the answer before, with the same arguments');

export const limitOf = (most: number, usual: number) =>
  z.number().int().min(1).max(most).default(usual).describe('Items');

export const country = regionCode
  .optional()
  .describe('ISO 3166-1 such as JP, or an aggregate such as WLD or EMU; none: all');

export const coverage = slug.optional().describe('Domain such as prices; none: all');
export const topic = slug.optional().describe('Such as inflation; none: all');

export const since = moment.optional().describe('Earliest occurredAt, inclusive: 2026-05-01');
export const until = moment.optional().describe('Latest occurredAt, a day counts whole; none: no bound');
