import { z } from 'zod';
import { Figure, Missing, Period, Unit } from '../../../domain/figures/figure.schema.js';
import { SOURCE_LEVELS } from '../../../domain/sources/source.schema.js';
import { CompanyRef, CoverageRef, EntityRef, page, TopicRef } from '../links.schema.js';
import type { Resource } from '../../responses/resource.js';
import { VINTAGE_BASES } from '../../../domain/figures/vintage-basis.js';

export const changesResource = {
  path: 'changes',
  tag: 'Changes',
  about: 'Verified differences in sourced facts',
  family: 'changes',
} satisfies Resource;

export const CHANGE_KINDS = ['release', 'revision', 'move', 'decision', 'structure'] as const;
export const CHANGE_STATUSES = ['verified', 'corrected', 'withdrawn'] as const;

export const CHANGE_ORDERS = ['newest', 'importance'] as const;

const RevisionFigures = z
  .object({
    way: z
      .enum(['restated', 'withdrawn', 'returned'])
      .describe(
        'restated: another value; withdrawn: the source no longer gives the figure, and `actual` is null; returned: it gives the figure again after a withdrawal',
      ),
    periods: z.int().describe('Number of periods that the change stands for; `period` is the newest'),
    since: Period.describe('The oldest of them'),
    smaller: z
      .int()
      .describe(
        'Other figures of the series that the same vintage restated, by at most 0.1 % and more than a millionth: they are no changes. Only the newest revision of a series counts them',
      ),
    earlier: z
      .array(
        z
          .object({ value: z.number().nullable(), missing: Missing, knownSince: z.iso.date() })
          .meta({ id: 'EarlierValue' }),
      )
      .describe('Every value of `period` before the change, oldest first; null from the day of a withdrawal'),
  })
  .meta({ id: 'RevisionFigures', description: 'What a revision did, and through which values its figure went' });

const changeFigure = z
  .object({
    name: z.string().describe('Name of the indicator or instrument, in the language of the request'),
    unit: Unit,
    period: Period,
    previous: Figure.describe(
      'The figure that `actual` is compared with; without one, its value is null with a reason',
    ),
    actual: Figure,
    delta: z.number().nullable().describe('actual − previous, in the unit; in percentage points for percentages'),
    deltaPercent: z
      .number()
      .nullable()
      .describe('Relative difference in percent; null for percentages, and if `previous` is ≤ 0'),
    revision: RevisionFigures.nullable().describe('null for other kinds than revisions'),
  })
  .meta({ id: 'ChangeFigure', description: 'The figures before and after the change' });

export const ChangeContext = z
  .object({
    kind: z
      .enum(['record', 'since', 'streak', 'mean', 'swing', 'distance'])
      .describe(
        'record: the highest or lowest of all figures; since: the highest or lowest since `since`; streak: steps in one direction; mean: that of the ten years before; swing: an opposite step just before; distance: from the high or low of the year before',
      ),
    of: z
      .enum(['level', 'amount', 'year', 'step', 'exchange'])
      .nullable()
      .describe(
        'What is compared: the figure, the size of a surplus or deficit, the change on the year, the step, or the yearly average of a currency; null for a streak or a mean',
      ),
    side: z.enum(['high', 'low']).nullable(),
    since: Period.describe(
      'The earliest period that the statement rests on: the one that was as high or as low, or the first of all figures, of the run or of the mean',
    ),
    reference: z
      .number()
      .describe(
        'What the figure is compared with: an earlier figure or step, the mean, or the number of steps of a streak',
      ),
    text: z.string().describe('The sentence of `summary` on it'),
  })
  .meta({
    id: 'ChangeContext',
    description: 'What stands out about a figure among those known with it; the receipt has the figures',
  });
export type ChangeContext = z.infer<typeof ChangeContext>;

const common = {
  id: z.string().describe('Opaque and stable'),
  url: z.url().describe('URL of this change'),
  page,
  kind: z
    .enum(CHANGE_KINDS)
    .describe(
      'release: first figure of the newest period; revision: a published figure is restated by more than 0.1 %, withdrawn, or given again after a withdrawal; one stands for most figures of a series restated at once, and for all that one vintage withdraws or returns; move: an unusually large market move; decision: a change of a policy rate; structure: a group relation begins or ends',
    ),
  evidenceClass: z
    .literal(['fact', 'supported'])
    .describe('fact: a source states it, or arithmetic on its figures gives it; supported: a named rule infers it'),
  headline: z.string().describe('One line, in the language of the request'),
  summary: z.string().describe('One or two sentences, which name the source'),
  importance: z.int().min(0).max(100).describe('0 to 100. Higher means more unusual, newer, or in a larger economy'),
  occurredAt: z.string().describe('The day (YYYY-MM-DD) or instant that the source states; otherwise the vintage day'),
  occurredBasis: z
    .enum([...VINTAGE_BASES, 'observed'])
    .describe(
      'Event at `occurredAt`: the release, the update at the source, the retrieval or the observation of the figures',
    ),
  publishedAt: z.iso.datetime().describe('When Tidemark first published the change'),
  updatedAt: z.iso
    .datetime()
    .describe('When Tidemark last corrected it or rendered its text again; otherwise `publishedAt`'),
  figure: changeFigure.nullable().describe('null for a change without figures'),
  context: ChangeContext.nullable().describe(
    'null where nothing stands out, and for other kinds than releases and moves',
  ),
  subject: z
    .object({
      type: z.enum(['series', 'instrument', 'entity']),
      key: z.string().describe('indicator@region, the key of an instrument, or the id of an entity'),
      name: z.string(),
      region: z.string().nullable(),
    })
    .meta({ id: 'ChangeSubject' }),
  countries: z.array(z.string()).describe('ISO 3166-1 alpha-2 codes, or codes of aggregates'),
  coverage: z.array(CoverageRef),
  topics: z.array(TopicRef),
  companies: z.array(CompanyRef),
  entities: z.array(EntityRef),
  signals: z.array(z.object({ id: z.string(), title: z.string() }).meta({ id: 'SignalRef' })),
  evidence: z
    .object({
      total: z.int().describe('Number of sourced figures behind it'),
      publishers: z.int().describe('Number of their different publishers'),
      byLevel: z
        .partialRecord(z.enum(SOURCE_LEVELS), z.int())
        .describe('Number of figures per level; levels without figures are omitted'),
    })
    .meta({ id: 'Evidence', description: 'Only counts; the service has no evidence passages' }),
  sources: z.array(z.string()).describe('Ids in `meta.sources`'),
};

const status = z.literal(['verified', 'corrected']);

export const Change = z
  .object({ ...common, status })
  .meta({ id: 'Change', description: 'One verified difference in a sourced fact' });
export type Change = z.infer<typeof Change>;

export const WithdrawnChange = z
  .object({ id: z.string(), status: z.literal('withdrawn'), withdrawnAt: z.iso.datetime() })
  .meta({
    id: 'WithdrawnChange',
    description: 'A withdrawn change. Only with `status=withdrawn`, so that you can delete it from your copies',
  });
export type WithdrawnChange = z.infer<typeof WithdrawnChange>;

export const Correction = z
  .object({
    correctedAt: z.iso.datetime(),
    dataVersion: z.int(),
    actual: z.number().nullable().describe('`figure.actual` before this correction; null without figures'),
    previous: z.number().nullable(),
  })
  .meta({ id: 'Correction' });

export const ChangeDetail = z
  .object({ ...common, status, corrections: z.array(Correction) })
  .meta({ id: 'ChangeDetail', description: 'A change, with its figures before each correction' });
export type ChangeDetail = z.infer<typeof ChangeDetail>;
