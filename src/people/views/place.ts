import { z } from 'zod';
import { firstDayOf, lastDayOf, shiftedDay } from '../../domain/figures/periods.js';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { day, period } from '../../serve/resources/parameters.schema.js';

const YEARS = { '1y': 1, '5y': 5, '10y': 10, '30y': 30 } as const;
export const SPANS = ['1y', '5y', '10y', '30y', 'all'] as const;
type Span = (typeof SPANS)[number];
/** Fewer figures make no chart. */
const FEWEST = 8;

/** Of pages with one series: as known on a day, until a period, of a span, beside another. Other parameters are other people's. */
export const PlaceQuery = z.looseObject({
  asOf: day.optional().catch(undefined),
  to: period.optional().catch(undefined),
  span: z.enum(SPANS).optional().catch(undefined),
  with: z.string().min(1).max(60).optional().catch(undefined),
});
export type PlaceQuery = z.infer<typeof PlaceQuery>;

/** The address of what such a page shows. Search engines index only the plain one. */
export function placeOf(path: string, query: PlaceQuery, locale: Locale) {
  const { asOf, to, span, with: other } = query;
  const at = (changed: Partial<PlaceQuery>): string => {
    const all = Object.entries({ asOf, to, span, with: other, ...changed });
    const query = new URLSearchParams();
    for (const [key, value] of all) if (value) query.set(key, value);
    return query.size === 0 ? path : `${path}?${query.toString()}`;
  };
  return {
    at,
    path: at({}),
    plain: path,
    listed: at({}) === path,
    knownOn: asOf === undefined ? null : formatDay(locale, asOf),
    place: query,
  };
}

/** The first day of a span that ends on a day; null for all. */
export const startOf = (span: Span | undefined, last: string): string | null =>
  span === undefined || span === 'all' ? null : shiftedDay(last, -Math.round(YEARS[span] * 365.25));

/** The spans that leave some of the figures out, and enough in. */
export function spanChoices(first: string, last: string, figures: number): Span[] {
  const [from, to] = [firstDayOf(first), lastDayOf(last)];
  const years = Math.max(1, (Date.parse(to) - Date.parse(from)) / 31_557_600_000);
  const shorter = (['1y', '5y', '10y', '30y'] as const).filter(
    (span) => (startOf(span, to) ?? '') > from && (figures / years) * YEARS[span] >= FEWEST,
  );
  return shorter.length === 0 ? [] : [...shorter, 'all'];
}
