import { z } from 'zod';
import { difference, printedText } from '../../domain/figures/decimal.js';
import { numberOf } from '../../domain/figures/figure.js';
import type { Figure, SeriesFigure } from '../../domain/figures/figure.schema.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { originsOf, projectedAge, projectedPoint, ProjectedPoint } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedSeries = z.looseObject({
  indicator: z.looseObject({ slug: z.string(), name: z.string(), unit: z.string() }),
  series: z.array(
    z.looseObject({
      region: z.looseObject({ code: z.string(), name: z.string() }),
      observations: z.array(ProjectedPoint),
      source: z.string(),
      url: z.string(),
    }),
  ),
});

/** The day from which the newest of the figures is known; null without one. */
export const knownSinceOf = (observations: readonly Pick<Figure, 'value' | 'knownSince'>[]): string | null =>
  observations.findLast(({ value }) => value !== null)?.knownSince ?? null;

/** Of one period whose value was restated: the first and the last value, and their difference; null of any other list. */
export function restatementOf(observations: readonly SeriesFigure[]) {
  const known = observations.filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  if (known.some(({ period }) => period !== first.period)) return null;
  const printed = difference(printedOf(last), printedOf(first));
  return { printed, change: numberOf(printed) };
}

const printedOf = ({ value, decimals }: SeriesFigure): string => printedText(value ?? 0, decimals);

/** Series whose unit stands once, with the indicator, whose name has the base year of what is counted in it. */
export function projectedSeries({ indicator, ranking, series }: MacroSeries): z.input<typeof ProjectedSeries> {
  const { seasonalAdjustment, priceBasis, slug, name, unit, frequency } = indicator;
  return {
    indicator: { slug, name, unit: unit.label, frequency, ...present({ seasonalAdjustment, priceBasis }) },
    ...present({ ranking }),
    series: series.map((one) => {
      const { region, source, stale, expectedBy, currency, observations } = one;
      return {
        region,
        source,
        ...projectedAge({ stale, expectedBy }),
        ...present({ currency }),
        observations: observations.map(projectedPoint),
        ...present({ knownSince: knownSinceOf(observations), restatedBy: restatementOf(observations)?.change ?? null }),
        ...originsOf(observations),
        url: linkOf(one),
      };
    }),
  };
}
