import { Injectable } from '@nestjs/common';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import type { Read } from '../../../store/snapshots.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { currencyPair } from './currency-pair.rule.js';
import { CALENDAR, placesNamed, type NamedPlace } from './named-places.rows.js';
import type { NamedSubject } from './named-subjects.rows.js';
import { readRespelt } from './respelt-sentence.rows.js';
import {
  INSTRUMENTS_OF_KEYS,
  INSTRUMENTS_OF_OTHERS,
  RATES_OF_CURRENCY,
  SERIES_OF,
  type InstrumentNameRow,
  type NamedSeriesRow,
  type SeriesNameRow,
} from './search.rows.js';
import { AVERAGES, MEETING, NEARBY } from './stop-words.rule.js';
import { searchResource } from './search.schema.js';

const SUBJECT_PATHS = { country: '/countries', indicator: '/macro', instrument: '/markets' } as const;

export interface NamedPage {
  readonly type: 'series' | 'country' | 'indicator' | 'instrument' | NamedPlace['type'];
  /** Of its page. */
  readonly path: string;
  readonly title: string;
}

export interface NamedPages {
  readonly pages: readonly NamedPage[];
  /** A pair that no source prints: the pages are of its two rates against the euro. */
  readonly unlisted: string | null;
  /** Words of the query that name none of the pages. */
  readonly unheard: readonly string[];
  /** What was searched in place of a query with a word one letter off. */
  readonly respelt: string | null;
  /** The year that the query asks for, if it names one. */
  readonly year: string | null;
  /** Whether nothing of the kind is stored for the economies of the query. */
  readonly absent: boolean;
}

/** Of the pair in either order, then of its legs against the euro. */
const pairKeys = (pair: readonly [string, string]): string[] => {
  const [base, quote] = [pair[0].toLowerCase(), pair[1].toLowerCase()];
  return [base + quote, quote + base, `eur${base}`, `eur${quote}`];
};

/** A price index is the level behind an inflation rate: series that are one come first, of the same topic. */
const INDEX = /\b(?:index|indices|indexes|cpi(?! inflation))\b|指数|指數/iu;

/** Series of the same topic beside the one that a query names. */
const BESIDE = 4;

/** The pages that a query names, for people. */
@Injectable()
export class NamedPagesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly texts: Texts,
  ) {}

  /**
   * What a query names, as people say it: the series of an economy and an indicator, an instrument, a pair of
   * currencies, else the economies and indicators themselves.
   */
  pages(q: string, context: RequestContext): Promise<Result<NamedPages>> {
    const { locale } = context;
    return this.reader.read<NamedPages>(searchResource, context, async (read) => {
      const pair = currencyPair(q);
      const ofPair = pair === null ? null : await this.pairPages(read, pair, locale);
      if (ofPair !== null) return { data: ofPair };
      const isEvent = q.search(MEETING) >= 0;
      const { subjects, unheard, respelt, years } = await readRespelt(read, meantBy(q));
      const places = [...(isEvent ? [CALENDAR] : []), ...(await placesNamed(read, q))].map(({ type, path, title }) => ({
        type,
        path,
        title: title?.[locale] ?? this.texts.say(locale, `site.search.places.${type}`),
      }));
      const of = (type: NamedSubject['type']) => subjects.filter((one) => one.type === type);
      const indicators = keysOf(of('indicator'));
      const isIndex = INDEX.test(q);
      const series = await read<NamedSeriesRow>(SERIES_OF, [
        // The one economy of an indicator is not what a query with an unknown word asks for.
        unheard.length > 0 && of('country').length === 0 ? [] : indicators,
        keysOf(of('country')),
        isIndex,
      ]);
      const isNamed = (row: NamedSeriesRow): boolean => indicators.includes(row.indicator) || (isIndex && row.isIndex);
      const pages = [
        ...[...series.filter(isNamed), ...series.filter((row) => !isNamed(row)).slice(0, BESIDE)].map((row) =>
          this.seriesPage(row, locale),
        ),
        ...[...(await averaged(read, q, of('instrument'))), ...of('indicator'), ...of('country')].map(
          ({ type, key, title }) => ({ type, path: `${SUBJECT_PATHS[type]}/${key}`, title: title[locale] }),
        ),
      ];
      // An indicator that is called like a topic comes before it; one of many instruments does not.
      const [first, ...others] = pages;
      const isPlace =
        first === undefined ||
        first.type === 'instrument' ||
        unheard.length > 0 ||
        isEvent ||
        places.some(({ type }) => type === 'source');
      const all = isPlace ? [...places, ...pages] : [first, ...places, ...others];
      const isStored = series.some(isNamed) || (await isOf(read, of('instrument'), of('country')));
      return {
        data: {
          pages: all,
          unlisted: null,
          unheard: places.length > 0 ? [] : unheard,
          respelt,
          year: years.length === 1 ? (years[0] ?? null) : null,
          absent: of('country').length > 0 && subjects.length > of('country').length && !isStored,
        },
      };
    });
  }

  /** The pair itself, else its two rates against the euro; of a pair with the dollar first the average of each year. */
  private async pairPages(read: Read, pair: readonly [string, string], locale: Locale): Promise<NamedPages | null> {
    const keys = pairKeys(pair);
    const rates = await read<InstrumentNameRow>(INSTRUMENTS_OF_KEYS, [keys]);
    const direct = rates.filter(({ key }) => keys.slice(0, 2).includes(key));
    const shown = direct.length > 0 ? direct : rates.length < 2 ? [] : rates;
    if (shown.length === 0) return null;
    const other = pair.find((code) => code !== 'USD');
    const [ofYears] =
      direct.length === 0 && pair.includes('USD') ? await read<SeriesNameRow>(RATES_OF_CURRENCY, [other]) : [];
    const daily = shown.map(({ key, title }) => {
      return { type: 'instrument' as const, path: `/markets/${key}`, title: title[locale] };
    });
    return {
      pages: ofYears === undefined ? daily : [this.seriesPage(ofYears, locale), ...daily],
      unlisted: direct.length > 0 ? null : pair.join('/'),
      unheard: [],
      respelt: null,
      year: null,
      absent: false,
    };
  }

  private seriesPage({ indicator, region, indicatorName, regionName }: SeriesNameRow, locale: Locale): NamedPage {
    const words = { indicator: indicatorName[locale], region: regionName[locale] };
    return {
      type: 'series',
      path: `/macro/${indicator}/${region}`,
      title: this.texts.say(locale, 'resources.series', words),
    };
  }
}

/** The query without what asks for an average or a day of the calendar, and with the names of what it is nearest to. */
function meantBy(q: string): string {
  const plain = [...Object.values(AVERAGES), MEETING].reduce((text, words) => text.replace(words, ' '), q);
  return NEARBY.reduce((text, [words, name]) => text.replace(words, name), plain);
}

/** Whether an instrument is one of the economies, or of no single one: a price of the world, a pair of currencies. */
async function isOf(
  read: Read,
  instruments: readonly NamedSubject[],
  economies: readonly NamedSubject[],
): Promise<boolean> {
  if (instruments.length === 0 || economies.length === 0) return false;
  const rows = await read<{ instrument: string }>(INSTRUMENTS_OF_OTHERS, [keysOf(instruments), keysOf(economies)]);
  return rows.length < instruments.length;
}

const keysOf = (subjects: readonly NamedSubject[]): string[] => subjects.map(({ key }) => key);

/** An average of a daily price before the price, where the query asks for one and it is stored. */
async function averaged(read: Read, q: string, instruments: readonly NamedSubject[]): Promise<readonly NamedSubject[]> {
  const [span] = Object.entries(AVERAGES).find(([, words]) => q.search(words) >= 0) ?? [];
  if (span === undefined || instruments.length === 0) return instruments;
  const rows = await read<InstrumentNameRow>(INSTRUMENTS_OF_KEYS, [
    instruments.map(({ key }) => `${key}-${span}-average`),
  ]);
  const averages = rows.map((row) => ({ type: 'instrument' as const, from: 0, ...row }));
  return [...averages, ...instruments.filter(({ key }) => !averages.some((one) => one.key === key))];
}
