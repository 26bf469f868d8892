import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { SOURCE_LEVELS } from '../../../domain/sources/source.schema.js';
import { Change } from '../changes/change.schema.js';
import { CoverageRef, page, TopicRef } from '../links.schema.js';
import type { Resource } from '../../responses/resource.js';

export const signalsResource = {
  path: 'signals',
  tag: 'Signals',
  about: 'Patterns in several changes',
  family: 'signals',
} satisfies Resource;

const status = z
  .enum(['emerging', 'active', 'closed'])
  .describe('emerging: just detected; active: confirmed by newer figures; closed: broken, completed or too old');

const lastSeenAt = z.string().describe('Day of the newest data that shows it, YYYY-MM-DD');

export const Signal = z
  .object({
    id: z.string().describe('Opaque and stable'),
    url: z.url().describe('URL of this signal'),
    page,
    title: z.string().describe('One line, in the language of the request'),
    summary: z.string().describe('The pattern, its figures and their publishers, in the language of the request'),
    rule: z
      .enum(['streak', 'turn', 'revision_cluster', 'persistent_move'])
      .describe(
        'streak: consecutive moves in one direction; turn: the same turn in many economies in one period; revision_cluster: many figures revised in one direction in one vintage; persistent_move: a market move that persists',
      ),
    status,
    evidenceClass: z
      .literal(['fact', 'supported'])
      .describe('supported: a named rule infers it from at least two independent facts'),
    coverage: z.array(CoverageRef),
    topics: z.array(TopicRef),
    countries: z.array(z.string()).describe('ISO 3166-1 alpha-2 code, or the code of an aggregate'),
    evidence: z
      .object({
        total: z.int().describe('Number of sourced figures behind it'),
        independent: z.int().describe('Number of different pairs of series and period among them'),
        publishers: z.int().describe('Number of their different publishers'),
        byLevel: z
          .partialRecord(z.enum(SOURCE_LEVELS), z.int())
          .describe('Number of figures per level; levels without figures are omitted'),
      })
      .meta({ id: 'SignalEvidence', description: 'Only counts; the service has no evidence passages' }),
    changes: z.array(Change).describe('The newest 20 changes behind it'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
    firstSeenAt: z.string().describe('Day of the first data that shows it, YYYY-MM-DD'),
    lastSeenAt,
  })
  .meta({ id: 'Signal', description: 'A pattern that a named rule finds in several changes' });
export type Signal = z.infer<typeof Signal>;

export const SignalItem = z
  .object({ id: z.string(), url: z.url(), page, title: z.string(), status, lastSeenAt })
  .meta({ id: 'SignalItem' });
export type SignalItem = z.infer<typeof SignalItem>;

export const SignalId = z
  .string()
  .max(64)
  .regex(/^sig_[A-Za-z0-9_-]{1,60}$/)
  .meta({ description: 'Id of a signal', examples: ['sig_PjfUQGlKBPcmiJYrGAw1lanvk7X'] })
  .register(NAMED, { reason: 'no_signal' });
