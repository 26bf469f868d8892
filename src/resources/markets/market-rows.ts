import type { UnitCode } from '../../figures/units.js';
import type { Localized } from '../../locale/locale.js';
import type { InstrumentKind, Timeframe } from './market.schema.js';

export interface InstrumentRow {
  readonly key: string;
  readonly name: Localized;
  readonly description: Localized;
  readonly kind: InstrumentKind;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly nativeTimeframe: Timeframe;
  readonly average: boolean;
  readonly discontinued: boolean;
  readonly series: number;
  readonly source: string;
  readonly origins: readonly string[];
  /** The last two prices, newest first; none where the source has withdrawn all of them. */
  readonly latest: readonly PriceRow[];
}

/** A price that stands: a day whose price was withdrawn has none. */
export interface PriceRow {
  readonly period: string;
  /** Decimal text, so that no digit is lost. */
  readonly value: string;
  readonly knownSince: string;
}

export interface CloseRow extends PriceRow {
  readonly instrument: string;
}

/** Instruments without a figure are not shown, and those of a withheld source cannot be joined. */
const INSTRUMENTS = `
  SELECT n.key, n.name, n.description, n.kind, n.unit, n.currency, n.native_timeframe AS "nativeTimeframe",
         n.average, n.discontinued, s.id AS series, s.source_id AS source, s.origins,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('period', l.period, 'value', l.value::text,
                   'knownSince', l.valid_from) ORDER BY l.period DESC), '[]')
            FROM (SELECT o.period, o.value, o.valid_from FROM observations o
                  WHERE o.series_id = s.id AND o.valid_to IS NULL ORDER BY o.period DESC LIMIT 2) l) AS latest
  FROM instruments n JOIN series s ON s.instrument = n.key JOIN sources p ON p.id = n.source_id`;

export const ALL_INSTRUMENTS = `${INSTRUMENTS} ORDER BY n.ordinal`;

/** $1 kind */
export const INSTRUMENTS_OF_KIND = `${INSTRUMENTS} WHERE n.kind = $1 ORDER BY n.ordinal`;

/** $1 key */
export const ONE_INSTRUMENT = `${INSTRUMENTS} WHERE n.key = $1`;

/** The newest prices of one instrument, newest first. $1 series, $2 most */
export const POINTS = `
  SELECT period, value, valid_from AS "knownSince" FROM observations
  WHERE series_id = $1 AND valid_to IS NULL ORDER BY period DESC LIMIT $2`;

/**
 * The last price of each of the newest periods of a frame, for every instrument of a kind that can show it: each step
 * is one look into the index for the newest price before the period at hand, so that a month costs what a day costs.
 * What is printed in the frame itself stands as it is; only daily prices are rolled up, and no average is.
 * $1 kind, $2 timeframe, $3 most
 */
export const CLOSES = `
  WITH RECURSIVE closes AS (
    SELECT n.key AS instrument, s.id AS series, n.native_timeframe = $2 AS native, 1 AS number,
           o.period, o.value, o.valid_from
    FROM instruments n JOIN series s ON s.instrument = n.key
      CROSS JOIN LATERAL (
        SELECT l.period, l.value, l.valid_from FROM observations l
        WHERE l.series_id = s.id AND l.valid_to IS NULL ORDER BY l.period DESC LIMIT 1) o
    WHERE n.kind = $1 AND (n.native_timeframe = $2 OR n.native_timeframe = 'D1' AND NOT n.average)
    UNION ALL
    SELECT c.instrument, c.series, c.native, c.number + 1, o.period, o.value, o.valid_from
    FROM closes c
      CROSS JOIN LATERAL (
        SELECT l.period, l.value, l.valid_from FROM observations l
        WHERE l.series_id = c.series AND l.valid_to IS NULL AND l.period < CASE
            WHEN c.native THEN c.period
            WHEN $2 = 'W1' THEN to_char(date_trunc('week', c.period::date), 'YYYY-MM-DD')
            ELSE left(c.period, 7) || '-01' END
        ORDER BY l.period DESC LIMIT 1) o
    WHERE c.number < $3)
  SELECT instrument, period, value, valid_from AS "knownSince" FROM closes ORDER BY instrument, number DESC`;
