import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { asOfQuery, UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { Cursors } from '../../responses/cursors.service.js';
import { invalidParameter, notFound, type ApiError } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { nearestMembers } from '../closed-sets.rows.js';
import { unitOf } from '../../../domain/figures/figure.js';
import { firstDayOf, lastDayOf } from '../../../domain/figures/periods.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { readStatement, type Read } from '../../../store/snapshots.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { optionalLowerBound } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { pointsStatement, vintagesStatement, type PointRow, type VintageRow } from '../series/point.rows.js';
import {
  checkWindow,
  beginningNotice,
  firstVintageNotice,
  periodSpanOf,
  within,
  type SeriesWindow,
} from '../series/window.rule.js';
import { barsOf, FREQUENCIES, hasFrame } from './bars.view.js';
import {
  closesStatement,
  instrumentsStatement,
  rangeStatement,
  type CloseRow,
  type InstrumentRow,
  type RangeRow,
} from './market.rows.js';
import {
  marketsResource,
  type Instrument,
  type InstrumentBars,
  type InstrumentDetail,
  type InstrumentKind,
  type InstrumentsQuery,
  type KindQuery,
  type MarketQuery,
} from './market.schema.js';
import { Quotes } from './quotes.view.js';
import { grouped } from '../../../domain/grouped.js';

@Injectable()
export class MarketsService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  /** Every instrument with its quote, in the catalogue's order. */
  list({ publishedSince }: InstrumentsQuery, context: RequestContext): Promise<Result<Instrument[]>> {
    return this.reader.read(marketsResource, context, async (read, cite) => {
      const since = optionalLowerBound(publishedSince);
      const rows = await readStatement<InstrumentRow>(read, instrumentsStatement({ since }));
      const removed = await removedSince(read, 'markets', { since });
      return { data: rows.map((row) => this.show(row, cite, context)), ...removed };
    });
  }

  /**
   * One instrument with the newest figures of a window, oldest first.
   * @throws ApiError `not_found`
   */
  find(key: string, query: MarketQuery, context: RequestContext): Promise<Result<InstrumentDetail>> {
    const { points, cursor, from, to, asOf } = query;
    const dependent = { ...marketsResource, subject: key };
    const checks = async (_: Read, faults: ParameterFaults) => checkWindow(faults, query, context);
    return this.reader.readChecked(dependent, context, checks, async (read, cite) => {
      const since = optionalLowerBound(query.publishedSince);
      const [row] = await readStatement<InstrumentRow>(read, instrumentsStatement({ key, asOf, since }));
      if (row === undefined) throw await missingInstrument(read, key);
      const scope = { route: 'instrument', filters: { key, from, to, asOf, since: since?.toISOString() } };
      const below = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
      const requested = periodSpanOf(query, FREQUENCIES[row.nativeTimeframe]);
      const span = since === undefined ? requested : within(requested, row.changedPeriods);
      const { series } = row;
      const newest = pointsStatement({ series, span, asOf, below }, points + 1);
      const prices = await readStatement<PointRow>(read, newest);
      const { shown, page } = this.cursors.page(prices, points, scope, ({ period }) => period);
      const quotes = new Quotes(row, cite, context.locale, asOf ?? context.today);
      const periods = shown.reverse().map(({ period }) => period);
      const vintages = vintagesStatement(series, periods, asOf ?? context.today);
      const figures =
        query.vintages === 'all'
          ? (await readStatement<VintageRow>(read, vintages)).map((row) => quotes.once(row))
          : shown.map((price) => quotes.at(price));
      // The pages after the first are of the same span.
      const isRanged = from !== undefined && cursor === undefined;
      const ranges = isRanged ? rangeStatement({ series, span: requested, asOf }) : null;
      const [range] = ranges === null ? [] : await readStatement<RangeRow>(read, ranges);
      return {
        data: {
          ...this.show(row, cite, context, query),
          range: range === undefined ? null : quotes.range(range),
          points: figures,
        },
        page,
        notices:
          figures.length > 0
            ? beginningNotice(query, range?.first, row.name[context.locale], {
                texts: this.texts,
                locale: context.locale,
              })
            : await this.firstVintage(read, [row], asOf, context),
      };
    });
  }

  /**
   * Every instrument of a kind with its bars of one time frame, in the catalogue's order; empty for a kind without
   * instruments. The bars of a single instrument are paged.
   */
  listBars(kind: InstrumentKind, query: KindQuery, context: RequestContext): Promise<Result<InstrumentBars[]>> {
    const { tf, bars, instrument: key, cursor, from, to, asOf } = query;
    const since = optionalLowerBound(query.publishedSince);
    const checks = async (read: Read, faults: ParameterFaults) => {
      await checkWindow(faults, query, context);
      const rows = await faults.check(['instrument', 'asOf', 'publishedSince'], async () => {
        const found = await readStatement<InstrumentRow>(read, instrumentsStatement({ kind, key, asOf, since }));
        if (key !== undefined && found.length === 0 && since === undefined) {
          const allowed = await nearestMembers(read, 'instrument', key);
          throw invalidParameter({ parameter: 'instrument', reason: 'not_in_set', allowed });
        }
        return found;
      });
      return rows ?? [];
    };
    return this.reader.readChecked(marketsResource, context, checks, async (read, cite, rows) => {
      const scope = { route: 'bars', filters: { kind, key, tf, from, to, asOf, since: since?.toISOString() } };
      const below = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
      const span = periodSpanOf(query, FREQUENCIES[tf]);
      const days = [firstDayOf(span[0]), lastDayOf(span[1])] as const;
      const most = key === undefined ? bars : bars + 1;
      const newest = closesStatement({ kind, key, tf, bars: most, span, days, asOf, below });
      const closes = grouped(await readStatement<CloseRow>(read, newest), (row) => row.instrument);
      const data = rows.map((row): InstrumentBars => {
        const quotes = new Quotes(row, cite, context.locale, asOf ?? context.today);
        return {
          ...this.show(row, cite, context, query),
          timeframe: tf,
          bars: barsOf(row, tf, (closes.get(row.key) ?? []).slice(-bars), quotes),
          missing: hasFrame(row, tf) ? null : 'not_published',
        };
      });
      const isEmpty = data.every((one) => one.bars.length === 0);
      const oldest = key !== undefined && (closes.get(key)?.length ?? 0) > bars ? data[0]?.bars[0] : undefined;
      const next = oldest === undefined ? null : { scope, place: oldest.period };
      return {
        data,
        ...(key !== undefined && { page: { limit: bars, next } }),
        notices: isEmpty ? await this.firstVintage(read, rows, asOf, context) : [],
      };
    });
  }

  private firstVintage(
    read: Read,
    rows: readonly InstrumentRow[],
    asOf: string | undefined,
    context: RequestContext,
  ): Promise<string[]> {
    const series = { where: 's.id = ANY ($1)', parameters: [rows.map((row) => row.series)] };
    return firstVintageNotice(read, series, asOf, this.texts, context);
  }

  private show(row: InstrumentRow, cite: Citations, context: RequestContext, window: SeriesWindow = {}): Instrument {
    const { locale, today } = context;
    const { key, name, description, kind, unit, currency, nativeTimeframe, average, discontinued } = row;
    const quotes = new Quotes(row, cite, locale, window.asOf ?? today);
    return {
      key: cite.series(key),
      ...this.urls.links(locale, ['markets', key], linkQuery(window, context)),
      name: name[locale],
      description: description[locale],
      kind,
      unit: unitOf(unit, locale, currency),
      currency,
      nativeTimeframe,
      average,
      status: discontinued ? 'discontinued' : 'active',
      lastObservedOn: quotes.lastObservedOn(),
      quote: quotes.quote(),
      changedPeriods: row.changedPeriods,
      source: cite.source(row.source),
    };
  }
}

/** Row-level security hides the instruments of a withheld source from the join. */
async function missingInstrument(read: Read, key: string): Promise<ApiError> {
  const [listed] = await read('SELECT FROM instruments n JOIN sources p ON p.id = n.source_id WHERE n.key = $1', [key]);
  if (listed !== undefined) return notFound('key', 'instrument_not_stored', key);
  return notFound('key', 'no_instrument', key, await nearestMembers(read, 'instrument', key));
}

/** The link leads to the same prices. */
const linkQuery = ({ asOf, to }: SeriesWindow, { today }: RequestContext): Record<string, string> => ({
  ...asOfQuery(asOf, today),
  ...(to !== undefined && lastDayOf(to) < today && { to: lastDayOf(to) }),
});
