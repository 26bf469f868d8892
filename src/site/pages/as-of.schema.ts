import { z } from 'zod';
import { formatDay } from '../../locale/format.js';
import type { Locale } from '../../locale/locale.js';
import { day } from '../../resources/parameters.schema.js';

/** Of pages that can show what was known on a day. Other parameters are other people's. */
export const AsOfQuery = z.looseObject({ asOf: day.optional().catch(undefined) });
export type AsOfQuery = z.infer<typeof AsOfQuery>;

/** The URL and listing of such a page: search engines index only the figures as known now. */
export function asOfPath(path: string, asOf: string | undefined, locale: Locale) {
  return asOf === undefined
    ? { path, listed: true, knownOn: null }
    : { path: `${path}?asOf=${asOf}`, listed: false, knownOn: formatDay(locale, asOf) };
}
