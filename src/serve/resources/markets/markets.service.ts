import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { asOfQuery, UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { Cursors } from '../../responses/cursors.service.js';
import { invalidParameter, notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { nearestMembers } from '../closed-sets.rows.js';
import { unitOf } from '../../../domain/figures/figure.js';
import { firstDayOf, lastDayOf } from '../../../domain/figures/periods.js';
import { formatDay } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import type { Read } from '../../../store/snapshots.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { optionalLowerBound } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { barsOf, FREQUENCIES, hasFrame } from './bars.view.js';
import {
  ALL_INSTRUMENTS,
  changedInstruments,
  EARLIEST_VINTAGE,
  closesStatement,
  instrumentsOfKind,
  instrumentStatement,
  pointsStatement,
  rangeStatement,
  type CloseRow,
  type InstrumentRow,
  type PointsFilter,
  type PriceRow,
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
import { checkWindow, periodSpanOf, within, type PriceWindow } from './price-window.rule.js';
import { Quotes } from './quotes.view.js';

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
      const { sql, parameters } =
        since === undefined ? { sql: ALL_INSTRUMENTS, parameters: [] } : changedInstruments(since);
      const rows = await read<InstrumentRow>(sql, parameters);
      const removed = since && (await removedSince(read, 'markets', since));
      return { data: rows.map((row) => this.show(row, cite, context)), ...(removed && { removed }) };
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
      const one = instrumentStatement(key, asOf, since);
      const [row] = await read<InstrumentRow>(one.sql, one.parameters);
      if (row === undefined)
        throw notFound('key', 'no_instrument', key, await nearestMembers(read, 'instrument', key));
      const scope = { route: 'instrument', filters: { key, from, to, asOf, since: since?.toISOString() } };
      const below = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
      const asked = periodSpanOf(query, FREQUENCIES[row.nativeTimeframe]);
      const span = since === undefined ? asked : within(asked, row.changedPeriods);
      const { sql, parameters } = pointsStatement({ series: row.series, span, asOf, below }, points + 1);
      const prices = await read<PriceRow>(sql, parameters);
      const shown = prices.slice(0, points);
      const oldest = prices.length > points ? shown.at(-1) : undefined;
      const next = oldest === undefined ? null : { scope, place: oldest.period };
      const quotes = new Quotes(row, cite, context.locale, asOf ?? context.today);
      const figures = shown.reverse().map((price) => quotes.price(price));
      // The pages after the first are of the same span.
      const isRanged = from !== undefined && cursor === undefined;
      const range = isRanged ? await rangeOf(read, { series: row.series, span: asked, asOf }) : undefined;
      return {
        data: {
          ...this.show(row, cite, context, query),
          range: range === undefined ? null : quotes.range(range),
          points: figures,
        },
        page: { limit: points, next },
        notices: figures.length > 0 ? [] : await this.beforeHeld(read, [row], query, context.locale),
      };
    });
  }

  /**
   * Every instrument of a kind with its bars of one time frame, in the catalogue's order; empty for a kind without
   * instruments. The bars of a single instrument are paged.
   */
  listBars(
    kind: InstrumentKind,
    query: KindQuery,
    context: RequestContext,
  ): Promise<Result<InstrumentBars[]>> {
    const { tf, bars, instrument: key, cursor, from, to, asOf } = query;
    const since = optionalLowerBound(query.publishedSince);
    const checks = async (read: Read, faults: ParameterFaults) => {
      await checkWindow(faults, query, context);
      const held = instrumentsOfKind(kind, key, asOf, since);
      const rows = await faults.check(['instrument', 'asOf', 'publishedSince'], async () => {
        const found = await read<InstrumentRow>(held.sql, held.parameters);
        if (key !== undefined && found.length === 0 && since === undefined) {
          const allowed = await nearestMembers(read, 'instrument', key);
          throw invalidParameter({ parameter: 'instrument', reason: 'not_in_set', allowed });
        }
        return found;
      });
      return rows ?? [];
    };
    return this.reader.readChecked(marketsResource, context, checks, async (read, cite, rows) => {
      const scope = {
        route: 'bars',
        filters: { kind, key, tf, from, to, asOf, since: since?.toISOString() },
      };
      const below = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
      const span = periodSpanOf(query, FREQUENCIES[tf]);
      const days = [firstDayOf(span[0]), lastDayOf(span[1])] as const;
      const most = key === undefined ? bars : bars + 1;
      const { sql, parameters } = closesStatement({ kind, key, tf, bars: most, span, days, asOf, below });
      const closes = byInstrument(await read<CloseRow>(sql, parameters));
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
      const oldest =
        key !== undefined && (closes.get(key)?.length ?? 0) > bars ? data[0]?.bars[0] : undefined;
      const next = oldest === undefined ? null : { scope, place: oldest.period };
      return {
        data,
        ...(key !== undefined && { page: { limit: bars, next } }),
        notices: isEmpty ? await this.beforeHeld(read, rows, query, context.locale) : [],
      };
    });
  }

  /** Before the first vintage the list is empty, and a notice names the earliest stored day. */
  private async beforeHeld(
    read: Read,
    rows: readonly InstrumentRow[],
    { asOf }: PriceWindow,
    locale: Locale,
  ): Promise<string[]> {
    if (asOf === undefined) return [];
    const [earliest] = await read<{ day: string | null }>(EARLIEST_VINTAGE, [
      rows.map(({ series }) => series),
    ]);
    if (earliest?.day == null || earliest.day <= asOf) return [];
    return [this.texts.say(locale, 'resources.before_held', { day: formatDay(locale, earliest.day) })];
  }

  private show(
    row: InstrumentRow,
    cite: Citations,
    context: RequestContext,
    window: PriceWindow = {},
  ): Instrument {
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

async function rangeOf(read: Read, filter: PointsFilter): Promise<RangeRow | undefined> {
  const { sql, parameters } = rangeStatement(filter);
  return (await read<RangeRow>(sql, parameters))[0];
}

/** The link leads to the same prices. */
const linkQuery = ({ asOf, to }: PriceWindow, { today }: RequestContext): Record<string, string> => ({
  ...asOfQuery(asOf, today),
  ...(to !== undefined && lastDayOf(to) < today && { to: lastDayOf(to) }),
});

function byInstrument(rows: readonly CloseRow[]): Map<string, CloseRow[]> {
  const groups = new Map<string, CloseRow[]>();
  for (const row of rows) {
    const group = groups.get(row.instrument);
    if (group === undefined) groups.set(row.instrument, [row]);
    else group.push(row);
  }
  return groups;
}
