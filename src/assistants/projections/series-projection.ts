import { z } from 'zod';
import type { Figure } from '../../domain/figures/figure.schema.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { originsOf, ObservedValue, projectedValue } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedSeries = z.looseObject({
  indicator: z.looseObject({
    slug: z.string(),
    name: z.string(),
    unit: z.looseObject({ label: z.string() }),
  }),
  ranking: z.looseObject({ countries: z.number(), inNewestPeriod: z.number() }).optional(),
  series: z.array(
    z.looseObject({
      region: z.looseObject({ code: z.string(), name: z.string() }),
      observations: z.array(ObservedValue).describe('Oldest first'),
      knownSince: z.string().optional().describe('Day of the first stored vintage with the newest value'),
      source: z.string(),
      url: z.string(),
    }),
  ),
});

/** The day from which the newest of the figures is known; null without one. */
export const knownSinceOf = (observations: readonly Pick<Figure, 'value' | 'knownSince'>[]): string | null =>
  observations.findLast(({ value }) => value !== null)?.knownSince ?? null;

/** Series whose unit stands once, with the indicator. */
export function projectedSeries({ indicator, ranking, series }: MacroSeries) {
  const { seasonalAdjustment, priceBasis, baseYear, providerCode: _code, ...described } = indicator;
  return {
    indicator: { ...described, ...present({ seasonalAdjustment, priceBasis, baseYear }) },
    ...present({ ranking }),
    series: series.map((one) => {
      const { url: _url, page: _page, currency, observations, ...kept } = one;
      return {
        ...kept,
        ...present({ currency }),
        observations: observations.map(projectedValue),
        ...present({ knownSince: knownSinceOf(observations) }),
        ...originsOf(observations),
        url: linkOf(one),
      };
    }),
  };
}
