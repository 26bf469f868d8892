import { z } from 'zod';
import { NAMED } from '../../errors/named.schema.js';
import { SOURCE_LEVELS } from '../../sources/source.schema.js';
import { Change } from '../changes/change.schema.js';
import { page } from '../links.schema.js';
import type { Resource } from '../../responses/resource.js';

export const signalsResource = {
  path: 'signals',
  tag: 'Signals',
  about: 'What several changes say together',
  family: 'signals',
} satisfies Resource;

const status = z
  .enum(['emerging', 'active', 'closed'])
  .describe('emerging: it has only just come about; closed: it was broken, has run its course, or is old');

const lastSeenAt = z.string().describe('Day of the newest data in which it was seen, YYYY-MM-DD');

export const Signal = z
  .object({
    id: z.string().describe('Opaque and stable'),
    url: z.url().describe('Its own address'),
    page,
    title: z.string().describe('One line, in the language of the request'),
    summary: z.string().describe('What was found, from which figures, by whose data'),
    rule: z
      .enum(['streak', 'turn', 'revision_cluster', 'persistent_move'])
      .describe(
        'streak: moves in one direction, period after period; turn: the same turn in many economies in one period; revision_cluster: many figures revised one way in one vintage; persistent_move: a market move that lasts',
      ),
    status,
    evidenceClass: z
      .enum(['fact', 'supported'])
      .describe("supported: a named rule's inference from at least two independent facts"),
    coverage: z.array(z.object({ key: z.string(), name: z.string() })),
    topics: z.array(z.object({ slug: z.string(), name: z.string() })),
    countries: z.array(z.string()).describe('ISO 3166-1 alpha-2, or an aggregate’s code'),
    evidence: z
      .object({
        total: z.int().describe('Sourced figures that it rests on'),
        independent: z.int().describe('Different series or periods among them'),
        publishers: z.int().describe('Different publishers among them'),
        byLevel: z
          .partialRecord(z.enum(SOURCE_LEVELS), z.int())
          .describe('Levels that are absent are left out'),
      })
      .describe('Counts only; passages are not served'),
    changes: z.array(Change).describe('The newest 20 of the changes that it rests on'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
    firstSeenAt: z.string().describe('Day of the data in which it was first seen, YYYY-MM-DD'),
    lastSeenAt,
  })
  .meta({ id: 'Signal', description: 'Several changes that together say something' });
export type Signal = z.infer<typeof Signal>;

export const SignalItem = z
  .object({ id: z.string(), url: z.url(), page, title: z.string(), status, lastSeenAt })
  .meta({ id: 'SignalItem' });
export type SignalItem = z.infer<typeof SignalItem>;

export const SignalId = z
  .string()
  .max(64)
  .regex(/^sig_[A-Za-z0-9_-]{1,60}$/)
  .describe("A signal's id")
  .meta({ examples: ['sig_PjfUQGlKBPcmiJYrGAw1lanvk7X'] })
  .register(NAMED, { reason: 'no_signal' });
