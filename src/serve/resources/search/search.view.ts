import type { ItemLinks, UrlBuilder } from '../../responses/url-builder.service.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { ShownRow } from './search.rows.js';
import type { SearchResult, SearchType } from './search.schema.js';

export interface ShownResult extends ShownRow {
  readonly type: SearchType;
  readonly key: string;
  readonly score: number;
}

export class SearchView {
  constructor(
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  show(row: ShownResult, locale: Locale, cite: Citations): SearchResult {
    return {
      type: row.type,
      id: row.key,
      title: row.title[locale],
      snippet: row.snippet === null ? this.describe(row, locale) : row.snippet[locale],
      ...this.linksOf(row, locale),
      score: row.score,
      sources: cite.sources(row.sources),
    };
  }

  private linksOf({ type, key }: ShownResult, locale: Locale): ItemLinks {
    switch (type) {
      case 'country':
        return this.urls.links(locale, ['changes'], { country: key });
      case 'indicator':
        return this.urls.links(locale, ['macro', key]);
      case 'instrument':
        return this.urls.links(locale, ['markets', key]);
      case 'company':
        return this.urls.links(locale, ['companies', key]);
      case 'entity':
        return this.urls.links(locale, ['entities', key, 'structure']);
      case 'signal':
        return this.urls.links(locale, ['signals', key]);
    }
  }

  /** For types without a description of their own. */
  private describe({ type, kind, indicators, tickers, country }: ShownResult, locale: Locale): string {
    if (type === 'country') {
      const key = kind === 'aggregate' ? 'search.aggregate' : 'search.country';
      return this.texts.say(locale, key, { count: indicators });
    }
    const listed = type === 'company' && tickers !== null ? '_listed' : '';
    const key = `search.${type}${listed}${country === null ? '' : '_in'}`;
    return this.texts.say(locale, key, {
      ...(country !== null && { country: country[locale] }),
      ...(tickers !== null && { tickers: tickers.join(VOICES[locale].comma) }),
    });
  }
}
