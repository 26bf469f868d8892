import { API_PREFIX } from '../responses/url-builder.service.js';

/** API routes that have a page, each with the page's path; a matched group appears in both. */
const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^\/(changes\/[\w-]+)$/, '/$1'],
  [/^\/(signals\/[\w-]+)$/, '/$1'],
  [/^\/(briefs\/[\w-]+)$/, '/$1'],
  [/^\/markets\/(?!kind$)([\w-]+)$/, '/markets/$1'],
  [/^\/ahead$/, '/calendar'],
  [/^\/ahead\/([\w-]+)$/, '/calendar/$1'],
];
const SERIES = /^\/macro\/(?!board$)([\w-]+)$/;
const REGION = /^[A-Za-z]{2,3}$/;

/** The page of an API resource, or null. A series has one page per region. */
export function pagePathOf(apiPath: string, query: Readonly<Record<string, unknown>>): string | null {
  const path = apiPath.slice(API_PREFIX.length);
  const [, indicator] = SERIES.exec(path) ?? [];
  const { region } = query;
  if (indicator !== undefined) {
    return typeof region === 'string' && REGION.test(region) ? `/macro/${indicator}/${region}` : null;
  }
  for (const [pattern, page] of PAGES) if (pattern.test(path)) return path.replace(pattern, page);
  return null;
}
