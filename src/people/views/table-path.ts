import type { Locale } from '../../domain/locale/locale.js';
import { PlaceQuery, placeOf } from './place.js';

/** Pages whose table a file link can open: a series, an indicator, an instrument, an economy, and their lists. */
const PATH =
  /^\/(?:macro\/[a-z0-9-]{1,60}(?:\/[A-Za-z0-9-]{1,10})?|markets(?:\/[a-z0-9-]{1,60})?|countries(?:\/[A-Za-z0-9-]{1,10})?)$/;
/** No address of a table is longer; the database takes 251. */
const MOST_LENGTH = 200;

/**
 * What a file link to the table of a page reads: the path, the span, a second series, the day of what was known, and the
 * language. Null for a page without a table, and for what is no address.
 * @param address the address of the page, with or without a host
 */
export function tablePathOf(address: string, locale: Locale): string | null {
  if (!URL.canParse(address, 'http://localhost')) return null;
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  if (!PATH.test(pathname)) return null;
  const { asOf, to, span, with: other } = PlaceQuery.parse(Object.fromEntries(searchParams));
  const { path } = placeOf(pathname, { asOf, to, span, with: other }, locale);
  const reads = `${path}${path.includes('?') ? '&' : '?'}locale=${locale}`;
  return reads.length > MOST_LENGTH ? null : reads;
}
