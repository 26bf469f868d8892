import { z } from 'zod';
import { Period, Unit } from '../../../domain/figures/figure.schema.js';
import { CHANGE_KINDS, ChangeContext } from '../changes/change.schema.js';

const ReceiptInput = z
  .object({
    role: z
      .enum(['actual', 'previous', 'evidence'])
      .describe('actual, previous: the figures that a change compares; evidence: further figures that its rule reads'),
    series: z.string().describe('indicator@region, or the key of an instrument'),
    providerCode: z.string().describe("The publisher's code of the series"),
    period: Period,
    value: z.number(),
    printed: z.string().describe('The value with the decimals that the publisher printed'),
    knownSince: z.string().describe('Day of the first vintage that had this value'),
    knownUntil: z.string().nullable().describe('Day of the first vintage without this value; null if it is current'),
    source: z.string().describe('Id in `meta.sources`'),
  })
  .meta({ id: 'ReceiptInput' });
export type ReceiptInput = z.infer<typeof ReceiptInput>;

const ReceiptRelation = z
  .object({
    child: z.object({ id: z.string(), name: z.string() }),
    parent: z.object({ id: z.string(), name: z.string() }),
    relation: z.string(),
    since: z.string().nullable().describe('Day on which the relation began, as the register states it'),
    until: z.string().nullable(),
    statedSince: z.string().describe('Day of the first vintage that stated the relation'),
    statedUntil: z
      .string()
      .nullable()
      .describe('Day of the first vintage that no longer stated it; null if it still does'),
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
    inputs: z.array(ReceiptInput).describe('The figures that the rule reads, by series, period and vintage'),
    relations: z
      .array(ReceiptRelation)
      .describe('Only for a change of structure: the relations that a register stated'),
    context: ChangeContext.nullable().describe('What stands out about the figure; the inputs contain what it rests on'),
    results: z.object({
      delta: z.number().nullable().describe('actual − previous; null if the receipt has no such pair'),
      deltaPercent: z.number().nullable(),
    }),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;
