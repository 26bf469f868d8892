import {
  asKnown,
  bindingAsOf,
  seriesChanges,
  newestPoints,
  type PeriodSpan,
  type PointRow,
  type PointsFilter,
} from '../series/point.rows.js';
import type { Statement } from '../../../store/snapshots.js';
import type { InstrumentEntity } from './instrument.entity.js';
import { firstDayOf } from '../../../domain/figures/periods.js';
import type { ChangedPeriods } from '../links.schema.js';
import type { InstrumentKind, Timeframe } from './market.schema.js';

export interface InstrumentRow extends Omit<InstrumentEntity, 'provider' | 'providerCode' | 'seriesUrl' | 'ordinal'> {
  readonly series: number;
  readonly origins: readonly string[];
  /** The last two prices, newest first; empty if the source has withdrawn all prices. */
  readonly latest: readonly PointRow[];
  readonly changedPeriods: ChangedPeriods | null;
}

export interface CloseRow extends PointRow {
  readonly instrument: string;
}

interface InstrumentFilter {
  readonly kind?: InstrumentKind | undefined;
  readonly key?: string | undefined;
  readonly asOf?: string | undefined;
  /** With it, a list has only the instruments that changed since, and each tells which periods did. */
  readonly since?: Date | undefined;
}

/**
 * Instruments with figures, in the catalogue's order. Row-level security hides those of a withheld source from the join.
 */
export function instrumentsStatement({ kind, key, asOf, since }: InstrumentFilter = {}): Statement {
  const { parameters, bind, known } = bindingAsOf(asOf);
  const changed = since === undefined ? null : seriesChanges(bind(since));
  const isOne = kind === undefined && key !== undefined;
  const conditions = [
    ...(kind === undefined ? [] : [`n.kind = ${bind(kind)}`]),
    ...(key === undefined ? [] : [`n.key = ${bind(key)}`]),
    ...(changed === null || isOne ? [] : [`EXISTS (SELECT FROM ${changed})`]),
  ];
  const changedPeriods =
    changed === null
      ? 'NULL::jsonb'
      : `(SELECT jsonb_build_object('from', min(v.first_period), 'to', max(v.last_period)) FROM ${changed} HAVING count(*) > 0)`;
  const sql = `
  SELECT n.key, n.name, n.description, n.kind, n.unit, n.currency, n.native_timeframe AS "nativeTimeframe",
         n.timetable, n.average, n.discontinued, s.id AS series, s.source_id AS source, s.origins,
         ${changedPeriods} AS "changedPeriods",
         (SELECT coalesce(jsonb_agg(jsonb_build_object('period', o.period, 'value', o.value::text,
                   'knownSince', o.valid_from) ORDER BY o.period DESC), '[]')
            FROM ${newestPoints('s.id', known, 2)} o) AS latest
  FROM instruments n JOIN series s ON s.instrument = n.key JOIN sources p ON p.id = n.source_id
  ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`} ORDER BY n.ordinal`;
  return { sql, parameters };
}

export interface RangeRow {
  readonly figures: number;
  readonly first: string;
  readonly last: string;
  readonly oldest: PointRow;
  readonly lowest: PointRow;
  readonly highest: PointRow;
  /** Decimal text. */
  readonly mean: string;
}

const PRICE = `jsonb_build_object('period', period, 'value', value::text, 'knownSince', valid_from) AS price`;

/** One row; none if the span has no prices. */
export function rangeStatement({ series, span: [first, last], asOf }: PointsFilter): Statement {
  const { parameters, bind, known } = bindingAsOf(asOf);
  const sql = `
    WITH prices AS MATERIALIZED (
      SELECT o.period, o.value, o.valid_from FROM observations o
      WHERE o.series_id = ${bind(series)} AND ${asKnown('o', known)}
        AND o.period BETWEEN ${bind(first)} AND ${bind(last)})
    SELECT m.figures, m.first, m.last, m.mean, f.price AS oldest, l.price AS lowest, h.price AS highest
    FROM (SELECT count(*)::integer AS figures, min(period) AS first, max(period) AS last, round(avg(value), max(scale(value)))::text AS mean FROM prices) m
      CROSS JOIN LATERAL (SELECT ${PRICE} FROM prices ORDER BY period LIMIT 1) f
      CROSS JOIN LATERAL (SELECT ${PRICE} FROM prices ORDER BY value, period LIMIT 1) l
      CROSS JOIN LATERAL (SELECT ${PRICE} FROM prices ORDER BY value DESC, period LIMIT 1) h`;
  return { sql, parameters };
}
export interface BarsFilter {
  readonly kind: InstrumentKind;
  readonly key?: string | undefined;
  readonly tf: Timeframe;
  readonly bars: number;
  /** In periods of the time frame. */
  readonly span: PeriodSpan;
  /** The same in days. */
  readonly days: PeriodSpan;
  readonly asOf?: string | undefined;
  /** Exclusive: the period of the last bar of the previous page. */
  readonly below?: string | undefined;
}

/** A bound of the span: in periods for an instrument printed in the time frame itself, else in days. */
type Bound = (isNative: string) => string;

/**
 * The last price of each of the newest periods, for every instrument of a kind that has the time frame. Each step is
 * one index lookup of the newest price before the current period, so a month costs as much as a day. Prices printed in
 * the time frame itself are used as they are; only daily prices are rolled up, never averages.
 */
export function closesStatement(filter: BarsFilter): Statement {
  const { kind, key, tf, bars, span, days, asOf, below } = filter;
  const { parameters, bind, known } = bindingAsOf(asOf);
  const frame = `${bind(tf)}::text`;
  const bound = (inPeriods: string, inDays: string): Bound => {
    const [native, rolled] = [bind(inPeriods), bind(inDays)];
    return (isNative) => `CASE WHEN ${isNative} THEN ${native} ELSE ${rolled} END`;
  };
  const [first, last] = [bound(span[0], days[0]), bound(span[1], days[1])];
  const next = below === undefined ? null : bound(below, firstDayOf(below));
  const isNative = `n.native_timeframe = ${frame}`;
  const one = key === undefined ? '' : ` AND n.key = ${bind(key)}`;
  // A column of its own: under row-level security, PostgreSQL 15 searches no index by what a function makes of a column.
  const periodStart = (native: string): string => `CASE
      WHEN ${native} THEN o.period
      WHEN ${frame} = 'W1' THEN to_char(date_trunc('week', o.period::date), 'YYYY-MM-DD')
      ELSE left(o.period, 7) || '-01' END AS start`;
  const sql = `
  WITH RECURSIVE closes AS (
    SELECT n.key AS instrument, s.id AS series, ${isNative} AS native, 1 AS number,
           o.period, o.value, o.valid_from, ${periodStart(isNative)}
    FROM instruments n JOIN series s ON s.instrument = n.key
      CROSS JOIN LATERAL (
        SELECT l.period, l.value, l.valid_from FROM observations l
        WHERE l.series_id = s.id AND ${asKnown('l', known)}
          AND l.period BETWEEN ${first(isNative)} AND ${last(isNative)}${next === null ? '' : ` AND l.period < ${next(isNative)}`}
        ORDER BY l.period DESC LIMIT 1) o
    WHERE n.kind = ${bind(kind)}${one} AND (${isNative} OR n.native_timeframe = 'D1' AND NOT n.average)
    UNION ALL
    SELECT c.instrument, c.series, c.native, c.number + 1, o.period, o.value, o.valid_from, ${periodStart('c.native')}
    FROM closes c
      CROSS JOIN LATERAL (
        SELECT l.period, l.value, l.valid_from FROM observations l
        WHERE l.series_id = c.series AND ${asKnown('l', known)} AND l.period >= ${first('c.native')} AND l.period < c.start
        ORDER BY l.period DESC LIMIT 1) o
    WHERE c.number < ${bind(bars)})
  SELECT instrument, period, value, valid_from AS "knownSince" FROM closes ORDER BY instrument, number DESC`;
  return { sql, parameters };
}
