import { formatDay } from '../../domain/locale/format.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Result } from '../../serve/responses/result.js';

/** The attributions and notices of all responses that a page uses, without duplicates; the first response wins. */
export function sourcesView(results: readonly Result<unknown>[], locale: Locale) {
  const named = results.flatMap((result) => result.sources);
  const sources = new Map(named.toReversed().map((source) => [source.id, source]));
  return {
    sources: [...sources.values()]
      .reverse()
      .map((source) => ({
        ...source,
        retrieved: source.retrievedAt === null ? null : formatDay(locale, source.retrievedAt),
      })),
    notices: [...new Set(results.flatMap((result) => result.notices))],
  };
}

export interface DatasetFacts {
  readonly name: string;
  readonly description: string;
  /** Of the page, which opens without a key. */
  readonly url: string;
  /** Of its table as a file. */
  readonly file: string | null;
  readonly result: Result<unknown>;
  /** Days, periods or years; '' if there are none. */
  readonly coverage: string;
}

/** A `Dataset` of schema.org. */
export function datasetOf({ name, description, url, file, result, coverage }: DatasetFacts, locale: Locale) {
  const { sources, publishedAt } = result;
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name,
    description,
    url,
    inLanguage: VOICES[locale].tag,
    isAccessibleForFree: true,
    ...(publishedAt !== null && { dateModified: publishedAt }),
    ...(coverage !== '' && { temporalCoverage: coverage }),
    ...(file !== null && { distribution: [{ '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: file }] }),
    creator: sources.map(({ publisher }) => ({ '@type': 'Organization', name: publisher })),
    license: [...new Set(sources.map(({ licence }) => licence.url))],
    isBasedOn: sources.flatMap(({ url: home, series }) =>
      series.length === 0 ? [home] : series.map((one) => one.url),
    ),
    creditText: sources.map(({ attribution }) => attribution).join(' '),
  };
}
