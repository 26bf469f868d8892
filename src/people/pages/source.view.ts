import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Result } from '../../serve/responses/result.js';

/** The attributions and notices of all responses that a page uses, without duplicates; the first response wins. */
export function sourcesView(results: readonly Result<unknown>[], locale: Locale) {
  const named = results.flatMap((result) => result.sources);
  const sources = new Map(named.toReversed().map((source) => [source.id, source]));
  return {
    sources: [...sources.values()].reverse().map((source) => ({
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
    isBasedOn: sources.flatMap(({ url: home, series }) =>
      series.length === 0 ? [home] : series.map((one) => one.url),
    ),
    creditText: sources.map(({ attribution }) => attribution).join(' '),
  };
}
