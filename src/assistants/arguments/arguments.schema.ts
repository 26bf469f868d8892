import { z } from 'zod';
import { LOCALES } from '../../domain/locale/locale.js';
import { CHANGE_ORDERS } from '../../serve/resources/changes/change.schema.js';
import { moment } from '../../serve/resources/parameters.schema.js';
import { slugsOf } from './known-names.js';

// Arguments of several tools. The descriptions are for a model: an example, and the effect of omitting the argument.

export const localeArgument = z
  .enum(LOCALES)
  .default('en')
  .describe('Language of your answer; zh is Simplified Chinese');

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'meta.page.nextCursor of the previous result, with the same other arguments; omitted: first page',
  );

/** Of a result with a cursor. */
export const nextPage = z.looseObject({ nextCursor: z.string().nullable() });

/** Of a list of changes by importance. */
export const total = z
  .looseObject({ count: z.number(), exact: z.boolean() })
  .optional()
  .describe('With order importance: all matches; not exact: more');

/** Of a result whose days the tool may have chosen. */
export const window = z.looseObject({ from: z.string(), to: z.string() }).optional();

export const changeOrder = z
  .enum(CHANGE_ORDERS)
  .default('newest')
  .describe('importance: most important first, and meta.total');

export const limitOf = (most: number, usual: number) =>
  z.number().int().min(1).max(most).default(usual).describe('Most items in one result');

/** Names or codes, which the resolver turns into codes. */
export const namedCountries = z
  .string()
  .min(1)
  .max(600)
  .optional()
  .describe(
    'Up to 30 countries or aggregates by name or code, separated by commas: JP, Germany, EMU; an aggregate (EMU, European Union) is without its members: for those of the EU or G7 name them; omitted: all',
  );
/** What something is called. */
export const nameArgument = z.string().min(1).max(200);

export const coverage = nameArgument
  .optional()
  .describe(
    `Domain, one of ${slugsOf('coverage')}; exchange rates are in currency and markets, commodities and Treasury yields in markets, policy rates in money-credit; omitted: all`,
  );
/** Of a second tool with the argument: the list of `latest_changes` is not repeated. */
export const DOMAIN_OF_CHANGES = 'Domain, one of those of `latest_changes`; omitted: all';
export const topic = nameArgument
  .optional()
  .describe(
    `One topic (several: name their indicators in search_changes): ${slugsOf('topic')}; living-standards are GDP and income per person, interest-rates lending and real rates, monetary-policy policy rates, bond-yields Treasury yields, wages those of Japan; omitted: all`,
  );

export const since = moment
  .optional()
  .describe(
    'First day of occurredAt (UTC; of a move its close), not the period of the figure: 2026-05-01; for what is new here publishedSince',
  );
export const until = moment.optional().describe('Last day of occurredAt, inclusive: 2026-05-31');
export const sincePublication = moment
  .optional()
  .describe(
    'For what is new: first day (UTC) of publication here, at times weeks after occurredAt, or of a correction or new wording of an older change',
  );
