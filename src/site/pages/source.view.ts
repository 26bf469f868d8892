import { formatDay } from '../../locale/format.js';
import type { Locale } from '../../locale/locale.js';
import type { Result } from '../../responses/result.js';

/** The attributions and notices of all responses that a page uses, without duplicates. */
export function sourcesView(results: readonly Result<unknown>[], locale: Locale) {
  const sources = new Map(results.flatMap((result) => result.sources).map((source) => [source.id, source]));
  return {
    sources: [...sources.values()].map((source) => ({
      ...source,
      retrieved: source.retrievedAt === null ? null : formatDay(locale, source.retrievedAt),
    })),
    notices: [...new Set(results.flatMap((result) => result.notices))],
  };
}

export interface DatasetFacts {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly result: Result<unknown>;
  readonly temporalCoverage?: string;
}

/** A `Dataset` of schema.org. */
export function datasetOf(
  { name, description, url, result, temporalCoverage }: DatasetFacts,
  locale: Locale,
) {
  const { sources, publishedAt } = result;
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name,
    description,
    url,
    inLanguage: locale === 'zh' ? 'zh-Hans' : locale,
    isAccessibleForFree: true,
    ...(publishedAt !== null && { dateModified: publishedAt }),
    ...(temporalCoverage !== undefined && { temporalCoverage }),
    creator: sources.map(({ publisher }) => ({ '@type': 'Organization', name: publisher })),
    license: [...new Set(sources.map(({ licence }) => licence.url))],
    isBasedOn: sources.map((source) => source.url),
    creditText: sources.map(({ attribution }) => attribution).join(' '),
  };
}
