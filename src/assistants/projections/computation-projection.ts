import { z } from 'zod';
import type { Series } from '../../serve/resources/series/series.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { ProjectedPoint } from './figure-projection.js';
import { present } from './present.js';

const Run = z.looseObject({ figures: z.number(), first: z.string(), last: z.string() }).optional();
const Step = z.looseObject({ change: z.number(), to: z.string() }).optional();

/** A shape costs tokens, so it stands once of members that are alike. */
const ProjectedStatistics = z.looseObject({
  figures: z.number(),
  mean: z.number().optional(),
  lowest: ProjectedPoint,
  highest: z.unknown(),
  largestRise: Step,
  largestFall: z.unknown().optional(),
  level: z
    .looseObject({
      above: z.number().optional(),
      below: z.number().optional(),
      longestAbove: Run,
      longestBelow: z.unknown().optional(),
      lastRun: z.unknown().optional(),
      crossings: z.number().optional(),
      lastAbove: ProjectedPoint.optional(),
      lastBelow: z.unknown().optional(),
      lastCrossing: z.unknown().optional(),
    })
    .optional(),
});

export const ProjectedComputation = z.looseObject({
  series: z.string(),
  name: z.string(),
  unit: z.string(),
  computed: z.looseObject({ operation: z.string(), inputs: z.array(z.unknown()) }).optional(),
  points: z.array(ProjectedPoint),
  statistics: ProjectedStatistics.optional(),
  sources: z.array(z.string()),
  url: z.string(),
});

/** The largest steps of what are steps already say nothing. */
export const isOfSteps = ({ computed }: Pick<Series, 'computed'>): boolean =>
  /^(?:pop|change)\(/.test(computed?.operation ?? '');

type Statistics = NonNullable<Series['statistics']>;

/** The statistics of a span; none of a single figure, which its point is, unless it is compared with a level. */
export const shownStatistics = ({ statistics }: Pick<Series, 'statistics'>): Statistics | null =>
  statistics?.figures === 1 && statistics.level === null ? null : statistics;

/** A series whose unit stands once; values without their texts. */
export function projectedComputation(one: Series): z.input<typeof ProjectedComputation> {
  const { series, name, unit, frequency, computed, points, omitted, stale, sources } = one;
  const statistics = shownStatistics(one);
  const { operation, inputs = [] } = computed ?? {};
  return {
    series,
    name,
    unit: unit.label,
    frequency,
    ...(operation !== undefined && {
      computed: {
        operation,
        inputs: inputs.map(({ series: key, name: of, unit: own, last, ...input }) => ({
          series: key,
          name: of,
          unit: own.label,
          ...(last !== null && { last: { period: last.period, value: last.value } }),
          url: linkOf(input),
        })),
      },
    }),
    points: points.map(({ period, value, missing, complete }) => ({
      period,
      value,
      ...present({ missing }),
      ...(complete ? {} : { complete }),
    })),
    ...(omitted > 0 && { omitted }),
    ...(statistics !== null && { statistics: projectedStatistics(statistics, isOfSteps(one)) }),
    ...(stale && { stale }),
    sources,
    url: linkOf(one),
  };
}

function projectedStatistics(statistics: Statistics, isOfSteps: boolean) {
  const { mean, level, lowest, highest, change, largestRise, largestFall, missing, ...counts } = statistics;
  const steps = isOfSteps
    ? {}
    : present({
        change: change && { ...untexted(change), ...percentOf(change) },
        largestRise: untexted(largestRise),
        largestFall: untexted(largestFall),
      });
  return {
    ...counts,
    ...(missing > 0 && { missing }),
    lowest: projectedExtreme(lowest),
    highest: projectedExtreme(highest),
    ...steps,
    ...present({ mean: mean?.value ?? null }),
    ...(level !== null && {
      level: present({
        ...level,
        firstCrossing: untexted(level.firstCrossing),
        lastCrossing: untexted(level.lastCrossing),
        lastAbove: untexted(level.lastAbove),
        lastBelow: untexted(level.lastBelow),
      }),
    }),
  };
}

const percentOf = ({ percent }: NonNullable<Statistics['change']>) => ({ percent: percent?.value ?? null });

/** That it was reached once goes without saying. */
const projectedExtreme = ({ figures, text: _text, ...kept }: Statistics['lowest']) => ({
  ...kept,
  ...(figures > 1 && { figures }),
});

function untexted<One extends { readonly text: string }>(one: One | null): Omit<One, 'text'> | null {
  if (one === null) return null;
  const { text: _text, ...kept } = one;
  return kept;
}
