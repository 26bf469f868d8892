import { isDay } from '../../domain/figures/periods.js';
import { ownMember } from '../../domain/names/own-member.js';

/** API routes that have a page, each with the page's path; a matched group appears in both. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^\/(changes\/[\w-]+)$/, '/$1'],
  [/^\/(signals\/[\w-]+)$/, '/$1'],
  [/^\/(briefs\/[\w-]+)$/, '/$1'],
  [/^\/(companies\/[\w-]+)$/, '/$1'],
  [/^\/(topics(?:\/[\w-]+)?)$/, '/$1'],
  [/^\/(markets|companies|search)$/, '/$1'],
  [/^\/macro\/board$/, '/countries'],
  [/^\/ahead$/, '/calendar'],
  [/^\/ahead\/([\w-]+)$/, '/calendar/$1'],
];
const INSTRUMENT = /^\/markets\/(?!kind$)[\w-]+$/;
const SERIES = /^\/macro\/(?!board$)([\w-]+)$/;
const REGION = /^[A-Za-z]{2,3}$/;

/**
 * The page of a resource of the API, where it has one. A series has one for each region; series and instruments also
 * show what was known on a day, and an instrument's prices until a day.
 * @param path under the API's prefix
 */
export function pagePathOf(path: string, query: Readonly<Record<string, unknown>>): string | null {
  const { region } = query;
  if (INSTRUMENT.test(path)) return path + daysIn(query, ['asOf', 'to']);
  const [, indicator] = SERIES.exec(path) ?? [];
  if (indicator !== undefined) {
    if (region === undefined) return `/macro/${indicator}`;
    return typeof region === 'string' && REGION.test(region)
      ? `/macro/${indicator}/${region}${daysIn(query, ['asOf'])}`
      : null;
  }
  const country = ownMember(query, 'country');
  if (path === '/changes' && typeof country === 'string' && REGION.test(country)) return `/countries/${country}`;
  for (const [pattern, page] of PAGES) if (pattern.test(path)) return path.replace(pattern, page);
  return null;
}

function daysIn(query: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const days = names.flatMap((name) => {
    const day = ownMember(query, name);
    return typeof day === 'string' && isDay(day) ? [`${name}=${day}`] : [];
  });
  return days.length === 0 ? '' : `?${days.join('&')}`;
}
