import { z } from 'zod';
import { Figure, Period, Unit } from '../../figures/figure.schema.js';
import { SOURCE_LEVELS } from '../../sources/source.schema.js';
import { page } from '../links.schema.js';
import type { Resource } from '../../responses/resource.js';

export const changesResource = {
  path: 'changes',
  tag: 'Changes',
  about: 'Verified differences in sourced facts',
  family: 'changes',
} satisfies Resource;

export const CHANGE_KINDS = ['release', 'revision', 'move', 'decision', 'structure'] as const;
export const CHANGE_STATUSES = ['verified', 'corrected', 'withdrawn'] as const;

const named = <Key extends string>(key: Key) =>
  z.object({ [key]: z.string(), name: z.string() } as Record<Key | 'name', z.ZodString>);

const changeFigure = z
  .object({
    name: z.string().describe('Of the indicator or instrument, in the language of the request'),
    unit: Unit,
    period: Period,
    previous: Figure.describe(
      'What it is compared with; its value is null with a reason where there is none',
    ),
    actual: Figure,
    delta: z
      .number()
      .nullable()
      .describe('actual − previous in the unit; percentage points where the unit is a percentage'),
    deltaPercent: z
      .number()
      .nullable()
      .describe('Relative difference in percent; null for percent units and where previous is ≤ 0'),
  })
  .meta({ id: 'ChangeFigure', description: 'What changed, from which figure to which' });

const common = {
  id: z.string().describe('Opaque and stable'),
  url: z.url().describe('Its own address'),
  page,
  kind: z
    .enum(CHANGE_KINDS)
    .describe(
      'release: the newest period is published for the first time; revision: a published figure is restated by more than 0.1 %; move: a market move beyond its own normal; decision: a policy rate; structure: a group relation began or ended',
    ),
  evidenceClass: z
    .enum(['fact', 'supported'])
    .describe(
      "fact: stated by a source, or plain arithmetic on its figures; supported: a named rule's inference",
    ),
  headline: z.string().describe('One line, in the language of the request'),
  summary: z.string().describe('One or two sentences that name the source'),
  importance: z.int().min(0).max(100).describe('Higher is more unusual, newer, or of a larger economy'),
  occurredAt: z
    .string()
    .describe("The data's clock: the day (YYYY-MM-DD) or instant the source stated, else the vintage day"),
  occurredBasis: z
    .enum(['released', 'retrieved', 'observed'])
    .describe('What `occurredAt` is: a release, the day the figures were retrieved, or an observation'),
  publishedAt: z.iso.datetime().describe('When Tidemark published it'),
  updatedAt: z.iso.datetime().describe('When Tidemark last published it: its newest correction'),
  figure: changeFigure.nullable().describe('null where the change is not one of figures'),
  subject: z.object({
    type: z.enum(['series', 'instrument', 'entity']),
    key: z.string().describe('indicator@region, the key of an instrument, or the id of an entity'),
    name: z.string(),
    region: z.string().nullable(),
  }),
  countries: z.array(z.string()).describe('ISO 3166-1 alpha-2, or an aggregate’s code'),
  coverage: z.array(named('key')),
  topics: z.array(named('slug')),
  companies: z.array(named('slug')),
  entities: z.array(named('id')),
  signals: z.array(z.object({ id: z.string(), title: z.string() })),
  evidence: z
    .object({
      total: z.int().describe('Sourced figures that it rests on'),
      publishers: z.int().describe('Different publishers among them'),
      byLevel: z
        .partialRecord(z.enum(SOURCE_LEVELS), z.int())
        .describe('Levels that are absent are left out'),
    })
    .describe('Counts only; passages are not served'),
  sources: z.array(z.string()).describe('Ids in `meta.sources`'),
};

export const Change = z
  .object({ ...common, status: z.enum(['verified', 'corrected']) })
  .meta({ id: 'Change', description: 'One verified difference in a sourced fact' });
export type Change = z.infer<typeof Change>;

export const WithdrawnChange = z.object({ id: z.string(), withdrawnAt: z.iso.datetime() }).meta({
  id: 'WithdrawnChange',
  description: 'Only with `status=withdrawn`, so that copies can be kept true',
});
export type WithdrawnChange = z.infer<typeof WithdrawnChange>;

export const Correction = z
  .object({
    correctedAt: z.iso.datetime(),
    dataVersion: z.int(),
    actual: z.number().nullable().describe('The figure before this correction; null without figures'),
    previous: z.number().nullable(),
  })
  .meta({ id: 'Correction' });

export const ChangeDetail = z
  .object({ ...common, status: z.enum(['verified', 'corrected']), corrections: z.array(Correction) })
  .meta({ id: 'ChangeDetail', description: 'A change, with what it said before each correction' });
export type ChangeDetail = z.infer<typeof ChangeDetail>;
