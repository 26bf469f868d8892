import { z } from 'zod';
import { Period, Unit } from '../../figures/figure.schema.js';
import { CHANGE_KINDS } from '../changes/change.schema.js';

const ReceiptInput = z
  .object({
    role: z
      .enum(['actual', 'previous', 'evidence'])
      .describe('actual and previous: what a change compares; evidence: what else its rule reads'),
    series: z.string().describe('indicator@region, or the key of an instrument'),
    providerCode: z.string().describe("The publisher's own code of the series"),
    period: Period,
    value: z.number(),
    printed: z.string().describe('The value with the decimals that the publisher printed'),
    knownSince: z.string().describe('Day of the first vintage that had this value'),
    knownUntil: z.string().nullable().describe('Day of the first vintage that no longer had it'),
    source: z.string().describe('Id in `meta.sources`'),
  })
  .meta({ id: 'ReceiptInput' });
export type ReceiptInput = z.infer<typeof ReceiptInput>;

const ReceiptRelation = z
  .object({
    child: z.object({ id: z.string(), name: z.string() }),
    parent: z.object({ id: z.string(), name: z.string() }),
    relation: z.string(),
    since: z.string().nullable().describe('As the register states it'),
    until: z.string().nullable(),
    statedSince: z.string().describe('Day of the first vintage that stated it'),
    statedUntil: z.string().nullable().describe('Day of the first vintage that no longer did'),
    source: z.string(),
  })
  .meta({ id: 'ReceiptRelation' });

/**
 * The derivation of a change or signal: the rule and every input with its vintage, so that a reader can verify it by
 * hand.
 */
export const Receipt = z
  .object({
    of: z.object({ id: z.string(), url: z.url() }),
    rule: z.object({
      name: z.enum([...CHANGE_KINDS, 'streak', 'turn', 'revision_cluster', 'persistent_move']),
      statement: z.string().describe('The rule in a sentence, in the language of the request'),
    }),
    unit: Unit.nullable(),
    inputs: z.array(ReceiptInput).describe('By series, period and vintage'),
    relations: z.array(ReceiptRelation).describe('What a register stated, for a change of structure'),
    results: z.object({
      delta: z.number().nullable().describe('actual − previous; null where a receipt has no such pair'),
      deltaPercent: z.number().nullable(),
    }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;
