import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import { currencyPair, isOneCurrency, rateOfCurrency } from '../../serve/resources/search/currency-pair.rule.js';
import { SearchService } from '../../serve/resources/search/search.service.js';
import { isIndicator, isInstrument, keyCalled } from './known-names.js';
import { keyMeant, otherSubjects, withoutCurrency } from './same-measure.js';
import type { SeriesType } from './unknown-name.js';

/** A series as its words name it. */
export interface NamedSeries {
  /** Slug, key or pair. */
  readonly key: string;
  /** Codes of the economies in its words. */
  readonly own: readonly string[];
}

/** Reads the name of one series; what is ambiguous or unknown has none. */
@Injectable()
export class SeriesNamer {
  constructor(private readonly search: SearchService) {}

  /** The one pair, instrument or indicator of these types that all of the words name. */
  async find(
    words: string,
    context: RequestContext,
    types: readonly SeriesType[] = ['indicator', 'instrument'],
  ): Promise<NamedSeries | undefined> {
    const pair = currencyPair(words);
    if (isOneCurrency(words)) return undefined;
    if (pair !== null && types.includes('instrument')) return { key: pair.join('').toLowerCase(), own: [] };
    const isKey = (text: string): boolean =>
      types.some((type) => (type === 'indicator' ? isIndicator : isInstrument)(text));
    const slug = words.trim().toLowerCase().replace(/\s+/g, '-');
    if (isKey(slug)) return { key: slug, own: [] };
    const { text, currency } = withoutCurrency(words);
    // A key with hyphens among the words is itself, and its parts name nothing else.
    const written = text
      .toLowerCase()
      .split(/\s+/)
      .find((word) => word.includes('-') && isKey(word));
    const rest = written === undefined ? text : text.replace(new RegExp(written, 'i'), ' ');
    const { data } = await this.search.sentence(rest, context.lookup);
    const own = data.subjects.filter(({ type }) => type === 'country').map(({ key }) => key);
    const named = otherSubjects(data.subjects, types, rest);
    const keys = [...(written === undefined ? [] : [written]), ...named.map(({ key }) => key)];
    const [only] = keys.length === 1 && data.understood ? keys : [];
    const key = only === undefined ? undefined : keyMeant(only, rest, { currency, places: own });
    if (key !== undefined && isKey(key)) return { key, own };
    // Search has only what is stored; the services say that of the rest nothing is.
    const called = keys.length === 0 ? keyCalled(words, types) : undefined;
    if (called !== undefined) return { key: called, own: [] };
    if (!types.includes('instrument')) return undefined;
    const isComputed = types.includes('indicator');
    const rate = rateOfCurrency(words, isComputed)?.join('').toLowerCase();
    return rate !== undefined && (isComputed || isInstrument(rate)) ? { key: rate, own: [] } : undefined;
  }
}
