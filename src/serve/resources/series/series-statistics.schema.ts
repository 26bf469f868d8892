import { z } from 'zod';
import { Period } from '../../../domain/figures/figure.schema.js';

/** A number of a span, for readers. */
export const SpanText = z.string().describe('As text in the language of the request: rounded, with its unit');
const text = SpanText;

const Extreme = z
  .object({ period: Period, value: z.number(), text })
  .meta({ id: 'SeriesExtreme', description: 'A figure with the first period that has it' });

const Ranked = Extreme.extend({ figures: z.int().describe('How many figures of the span equal it') }).meta({
  id: 'SeriesRanked',
  description: 'The lowest or highest figure, with the first period that has it',
});

const StepShape = { from: Period, to: Period, change: z.number(), text };
const Step = z.object(StepShape).nullable().meta({ id: 'SeriesStep' });

const RunShape = { figures: z.int(), first: Period, last: Period };
const Run = z.object(RunShape).nullable().meta({ id: 'SeriesRun' });

const LastRun = z
  .object({ ...RunShape, side: z.enum(['below', 'equal', 'above']) })
  .nullable()
  .meta({ id: 'SeriesLastRun' });

const Crossing = z
  .object({ ...Extreme.shape, direction: z.enum(['up', 'down']) })
  .nullable()
  .meta({ id: 'SeriesCrossing' });

const Level = z
  .object({
    level: z.number(),
    above: z.int().describe('Figures above the level'),
    equal: z.int(),
    below: z.int(),
    longestAbove: Run.describe('The longest run of figures above the level, the first of equal ones'),
    longestBelow: Run,
    lastRun: LastRun.describe('The run that the last figure of the span ends'),
    crossings: z.int().describe('How often the figures passed from one side to the other'),
    firstCrossing: Crossing.describe('The first figure beyond the level after one on its other side'),
    lastCrossing: Crossing,
    lastAbove: Extreme.nullable().describe(
      'The last figure above the level: of `transform=pop`, the last move beyond a size',
    ),
    lastBelow: Extreme.nullable(),
  })
  .nullable()
  .meta({ id: 'SeriesLevel' });

/** Of a span of figures; null if there are none. */
export const Statistics = z
  .object({
    figures: z.int().describe('Figures in the span'),
    missing: z
      .int()
      .describe('Periods of the span without one, after the first that has one; runs, crossings and steps end there'),
    first: Period,
    last: Period,
    lowest: Ranked,
    highest: Ranked,
    mean: z
      .object({ value: z.number(), text })
      .nullable()
      .describe('null for decisions, which hold for spells of different length'),
    change: z
      .object({
        ...StepShape,
        percent: z
          .object({ value: z.number(), text })
          .nullable()
          .describe(
            'null for percentages, which change by points, for an index of them, if the first figure is not above zero, and if the last one is below zero',
          ),
      })
      .nullable()
      .describe('From the first figure to the last; null of a single one')
      .meta({ id: 'SeriesChange' }),
    largestRise: Step.describe('The largest step up from one figure to the next; null if none rises'),
    largestFall: Step,
    level: Level.describe('null without `level`'),
  })
  .nullable()
  .meta({ id: 'SeriesStatistics' });
