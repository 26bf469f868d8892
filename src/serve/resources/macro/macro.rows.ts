import { visibleSince } from '../removals.rows.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { IndicatorEntity } from './indicator.entity.js';

/** Where `decision` is set, each period is the day from which a decision holds; the days between have no rows. */
export type IndicatorRow = Omit<IndicatorEntity, 'provider' | 'seriesUrl' | 'onBoard' | 'ordinal'>;

/** One period of one series as known on a day. */
export interface ObservationRow {
  readonly region: string;
  readonly regionName: Localized;
  /** ISO 4217 code of the region's currency, where it has one. */
  readonly currency: string | null;
  readonly source: string;
  readonly origins: readonly string[];
  readonly period: string;
  readonly value: string;
  readonly knownSince: string;
  readonly withdrawn: boolean;
  /** Day of the vintage that restated or withdrew it; null while the value is current. */
  readonly knownUntil?: string | null;
}

const INDICATORS = `
  SELECT i.slug, i.name, i.short_name AS "shortName", i.description, i.unit, i.frequency, i.decision, i.timetable,
         i.seasonal_adjustment AS "seasonalAdjustment", i.price_basis AS "priceBasis", i.base_year AS "baseYear",
         i.provider_code AS "providerCode", i.source_id AS source
  FROM indicators i JOIN sources p ON p.id = i.source_id`;

/** Row-level security hides a withheld source from the join, and so its indicators. $1 slug */
export const ONE_INDICATOR = `${INDICATORS} WHERE i.slug = $1`;

export const HELD_INDICATORS = `${INDICATORS}
  WHERE EXISTS (SELECT 1 FROM series s WHERE s.indicator = i.slug) ORDER BY i.ordinal`;

export const BOARD_INDICATORS = `${INDICATORS} WHERE i.on_board ORDER BY i.ordinal`;

export const HELD_REGIONS = `
  SELECT r.code, r.name FROM regions r
  WHERE EXISTS (SELECT 1 FROM series s WHERE s.region = r.code) ORDER BY r.code`;

export const BOARD_REGIONS = `
  SELECT code, name FROM regions WHERE board_order IS NOT NULL ORDER BY board_order`;

const SHOWN = `
  s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins,
  o.period, o.value, o.valid_from AS "knownSince", coalesce(o.valid_to <= $2, false) AS withdrawn`;

/** Whole series as known at the end of a day. $1 indicator, $2 day, $3–$4 periods, $5 regions */
export const WHOLE_SERIES = `
  SELECT DISTINCT ON (s.region COLLATE "C", o.period) ${SHOWN}
  FROM series s JOIN regions r ON r.code = s.region JOIN observations o ON o.series_id = s.id
  WHERE s.indicator = $1 AND s.region = ANY ($5) AND o.valid_from <= $2 AND o.period BETWEEN $3 AND $4
  ORDER BY s.region COLLATE "C", o.period, o.valid_from DESC`;

/** Every value that the periods of series had up to the end of a day, oldest first. $1 indicator, $2 day, $3–$4 periods, $5 regions */
export const ALL_VINTAGES = `
  SELECT ${SHOWN}, CASE WHEN o.valid_to <= $2 THEN o.valid_to END AS "knownUntil"
  FROM series s JOIN regions r ON r.code = s.region JOIN observations o ON o.series_id = s.id
  WHERE s.indicator = $1 AND s.region = ANY ($5) AND o.valid_from <= $2 AND o.period BETWEEN $3 AND $4
  ORDER BY o.period, o.valid_from`;

const latestTwo = (condition: string): string => `
  SELECT ${SHOWN}
  FROM series s JOIN regions r ON r.code = s.region
  CROSS JOIN LATERAL (
    SELECT * FROM observations l
    WHERE l.series_id = s.id AND known_on($2, l.valid_from, l.valid_to)
      AND l.period BETWEEN $3 AND $4
    ORDER BY l.period DESC LIMIT 2) o
  WHERE s.indicator = $1 AND ($5::text[] IS NULL OR s.region = ANY ($5)) AND ${condition}
  ORDER BY s.region COLLATE "C", o.period`;

/**
 * The newest two observations with a value of each region, as known at the end of a day.
 * $1 indicator, $2 day, $3–$4 periods, $5 regions or null
 */
export const LATEST_TWO = latestTwo('true');

/** The same for countries only: aggregates do not compete with their members. */
export const LATEST_TWO_OF_COUNTRIES = latestTwo("r.kind = 'country'");

/** The newest period with a value of each region, as known at the end of a day. $1 indicator, $2 day, $3 regions or null */
export const NEWEST_PERIODS = `
  SELECT s.region, o.period FROM series s
  CROSS JOIN LATERAL (
    SELECT l.period FROM observations l
    WHERE l.series_id = s.id AND known_on($2, l.valid_from, l.valid_to)
    ORDER BY l.period DESC LIMIT 1) o
  WHERE s.indicator = $1 AND ($3::text[] IS NULL OR s.region = ANY ($3))`;

/**
 * The last period before a window without figures and the first one after it, as known at the end of a day.
 * $1 indicator, $2 day, $3–$4 periods, $5 regions or null
 */
export const NEAREST_PERIODS = `
  SELECT max(b.period) AS before, min(a.period) AS after FROM series s
  LEFT JOIN LATERAL (
    SELECT l.period FROM observations l
    WHERE l.series_id = s.id AND known_on($2, l.valid_from, l.valid_to) AND l.period < $3
    ORDER BY l.period DESC LIMIT 1) b ON true
  LEFT JOIN LATERAL (
    SELECT l.period FROM observations l
    WHERE l.series_id = s.id AND known_on($2, l.valid_from, l.valid_to) AND l.period > $4
    ORDER BY l.period LIMIT 1) a ON true
  WHERE s.indicator = $1 AND ($5::text[] IS NULL OR s.region = ANY ($5))`;

/** Names of regions, and whether any figure of an indicator is stored for each. $1 indicator, $2 codes */
export const STORED_REGIONS = `
  SELECT r.name, EXISTS (SELECT FROM series s WHERE s.indicator = $1 AND s.region = r.code) AS stored
  FROM regions r WHERE r.code = ANY ($2) ORDER BY r.code`;

/**
 * The newest two observations of all series of the board, as known today; `OFFSET 0` keeps the planner from reading all
 * observations instead of looking each series up.
 */
export const BOARD_LATEST_TWO = `
  SELECT s.indicator, s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins,
         o.period, o.value, o.valid_from AS "knownSince", o.valid_to IS NOT NULL AS withdrawn
  FROM indicators i CROSS JOIN regions r
  CROSS JOIN LATERAL (SELECT * FROM series x WHERE x.indicator = i.slug AND x.region = r.code OFFSET 0) s
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (l.period) l.* FROM observations l
    WHERE l.series_id = s.id ORDER BY l.period DESC, l.valid_from DESC LIMIT 2) o
  WHERE r.board_order IS NOT NULL AND i.on_board`;

/** A series with figures that changed since a moment, and the periods from the first of them to the last. */
export interface ChangedSeriesRow extends Pick<
  ObservationRow,
  'region' | 'regionName' | 'currency' | 'source' | 'origins'
> {
  readonly from: string;
  readonly to: string;
  /** The newest period with a value; null if all are withdrawn. */
  readonly newest: string | null;
}

/** $1 indicator, $2 instant, $3 regions or null, $4 the last region of the previous page or '', $5 most */
export const CHANGED_SERIES = `
  SELECT s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins,
         min(v.first_period) AS "from", max(v.last_period) AS "to",
         (SELECT max(o.period) FROM observations o WHERE o.series_id = s.id AND o.valid_to IS NULL) AS newest
  FROM series s JOIN regions r ON r.code = s.region JOIN series_versions v ON v.series_id = s.id
    JOIN publications p ON p.data_version = v.data_version
  WHERE s.indicator = $1 AND ${visibleSince('p', '$2')} AND ($3::text[] IS NULL OR s.region = ANY ($3))
    AND s.region COLLATE "C" > $4
  GROUP BY s.id, r.code ORDER BY s.region COLLATE "C" LIMIT $5`;

/** Every value of the periods of each region, oldest first. $1 indicator, $2 regions, $3–$4 first and last period of each */
export const CHANGED_OBSERVATIONS = `
  SELECT s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins,
         o.period, o.value, o.valid_from AS "knownSince", o.valid_to AS "knownUntil", o.valid_to IS NOT NULL AS withdrawn
  FROM unnest($2::text[], $3::text[], $4::text[]) AS c (region, first, last)
    JOIN series s ON s.indicator = $1 AND s.region = c.region JOIN regions r ON r.code = s.region
    JOIN observations o ON o.series_id = s.id AND o.period BETWEEN c.first AND c.last
  ORDER BY s.region COLLATE "C", o.period, o.valid_from`;

export interface HeldSpanRow {
  readonly slug: string;
  readonly economies: number;
  readonly first: string | null;
  readonly newest: string | null;
  readonly dataVersion: number | null;
  readonly publishedAt: Date | null;
}

/** How much is held of each indicator, and when its figures last changed. */
export const HELD_SPANS = `
  SELECT s.indicator AS slug, count(a.period) AS economies, min(a.period) AS first, max(b.period) AS newest,
         p.data_version AS "dataVersion", p.published_at AS "publishedAt"
  FROM series s
    LEFT JOIN resource_families f ON f.family = 'macro/' || s.indicator
    LEFT JOIN publications p ON p.data_version = f.data_version
    LEFT JOIN LATERAL (SELECT period FROM observations WHERE series_id = s.id AND valid_to IS NULL
      ORDER BY period LIMIT 1) a ON true
    LEFT JOIN LATERAL (SELECT period FROM observations WHERE series_id = s.id AND valid_to IS NULL
      ORDER BY period DESC LIMIT 1) b ON true
  WHERE s.indicator IS NOT NULL GROUP BY s.indicator, p.data_version`;

/** The first stored vintage day of an indicator, or of some of its series. $1 indicator, $2 regions or null */
export const EARLIEST_DAY = `
  SELECT min(v.day) AS day FROM series_vintages v JOIN series s ON s.id = v.series_id
  WHERE s.indicator = $1 AND ($2::text[] IS NULL OR s.region = ANY ($2))`;
