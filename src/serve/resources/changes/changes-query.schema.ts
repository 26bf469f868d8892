import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import {
  copyPaging,
  listOf,
  locale,
  moment,
  optionalCountOf,
  regionCodes,
  searchText,
  slug,
} from '../parameters.schema.js';
import { CHANGE_KINDS, CHANGE_ORDERS, CHANGE_STATUSES } from './change.schema.js';

export const ChangesQuery = z.strictObject({
  locale,
  ...copyPaging,
  q: searchText
    .optional()
    .describe('Words to find in headlines and names, in any script. A change must match all of them')
    .meta({ examples: ['inflation Japan'] }),
  order: z
    .enum(CHANGE_ORDERS)
    .default('newest')
    .describe(
      'newest: newest publication first. importance: most important first, recent ones weighing more, of equal ones the newest, with `meta.total`; such a walk may omit what is published meanwhile',
    ),
  coverage: slug.optional().meta({ description: 'Key of a coverage domain', examples: ['prices'] }),
  topic: slug.optional().meta({ description: 'Slug of a topic', examples: ['inflation'] }),
  country: regionCodes
    .optional()
    .describe(
      'Up to 30 codes, separated by commas: ISO 3166-1 alpha-2 or alpha-3 in any case, or an aggregate such as WLD, which does not include its members',
    ),
  kind: listOf(z.enum(CHANGE_KINDS))
    .optional()
    .describe(`Only changes of these kinds, separated by commas: ${CHANGE_KINDS.join(', ')}`)
    .meta({ type: 'string', examples: ['revision', 'decision,move'] }),
  minImportance: optionalCountOf(100).meta({ description: 'Only changes of at least this importance', examples: [60] }),
  status: z
    .enum(CHANGE_STATUSES)
    .optional()
    .describe('Default: verified and corrected. `withdrawn` returns only ids and times'),
  since: moment
    .optional()
    .describe('Earliest `occurredAt`, inclusive: a day or an instant')
    .meta({ examples: ['2026-05-01'] }),
  until: moment
    .optional()
    .describe('Latest `occurredAt`: a day, inclusive, or an instant, exclusive')
    .meta({ examples: ['2026-07-31'] }),
  publishedSince: moment
    .optional()
    .describe(
      'Only changes that were published, corrected or newly worded at or after this day or instant, to update copies',
    )
    .meta({ examples: ['2026-07-02T06:00:00Z'] }),
});
export type ChangesQuery = z.infer<typeof ChangesQuery>;

export const ChangeId = z
  .string()
  .max(64)
  .regex(/^chg_[A-Za-z0-9_-]{1,60}$/)
  .meta({ description: 'Id of a change', examples: ['chg_r_DUlJMJX4R_WvUQl7GENao6bSK'] })
  .register(NAMED, { reason: 'no_change' });
