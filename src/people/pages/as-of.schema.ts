import { z } from 'zod';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { day } from '../../serve/resources/parameters.schema.js';

/** Of pages that can show what was known on a day. Other parameters are other people's. */
export const AsOfQuery = z.looseObject({ asOf: day.optional().catch(undefined) });
export type AsOfQuery = z.infer<typeof AsOfQuery>;

/** Of the page of an instrument, which also shows the prices until a day. */
export const MarketPageQuery = AsOfQuery.extend({ to: day.optional().catch(undefined) });
export type MarketPageQuery = z.infer<typeof MarketPageQuery>;

/** The URL and listing of such a page: search engines index only the figures as known now, and the newest of them. */
export function asOfPath(path: string, asOf: string | undefined, locale: Locale, to?: string) {
  const days = Object.entries({ asOf, to }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return {
    path: days.length === 0 ? path : `${path}?${days.join('&')}`,
    listed: days.length === 0,
    knownOn: asOf === undefined ? null : formatDay(locale, asOf),
  };
}
