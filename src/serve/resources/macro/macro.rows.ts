import { notFound } from '../../../domain/errors/api-error.js';
import type { Read } from '../../../store/snapshots.js';
import { nearestMembers, resolveRegions } from '../closed-sets.rows.js';
import { seriesChanges, newestPoints, type PointRow } from '../series/point.rows.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { IndicatorEntity } from './indicator.entity.js';

/** Where `decision` is set, each period is the day from which a decision holds; the days between have no rows. */
export type IndicatorRow = Omit<IndicatorEntity, 'provider' | 'seriesUrl' | 'onBoard' | 'ordinal'>;

/** A region in which an indicator has a series. */
export interface SeriesRegionRow {
  readonly region: string;
  readonly regionName: Localized;
  /** ISO 4217 code of the region's currency, where it has one. */
  readonly currency: string | null;
  readonly source: string;
  readonly origins: readonly string[];
}

/** One period of one series as known on a day. */
export interface ObservationRow extends SeriesRegionRow, PointRow {
  readonly withdrawn: boolean;
  /** Day of the vintage that restated or withdrew it; null while the value is current. */
  readonly knownUntil?: string | null;
}

const INDICATORS = `
  SELECT i.slug, i.name, i.short_name AS "shortName", i.description, i.unit, i.frequency, i.decision, i.timetable,
         i.seasonal_adjustment AS "seasonalAdjustment", i.price_basis AS "priceBasis", i.base_year AS "baseYear",
         i.provider_code AS "providerCode", i.source_id AS source
  FROM indicators i JOIN sources p ON p.id = i.source_id`;

/**
 * Row-level security hides a withheld source from the join, and so its indicators.
 * @throws ApiError `not_found` with the nearest slugs
 */
export async function requireIndicator(read: Read, slug: string): Promise<IndicatorRow> {
  const [row] = await read<IndicatorRow>(`${INDICATORS} WHERE i.slug = $1`, [slug]);
  if (row !== undefined) return row;
  throw notFound('indicator', 'no_indicator', slug, await nearestMembers(read, 'indicator', slug));
}

/** The word for every region. */
export const ALL_REGIONS = 'ALL';

/** Codes in order; null without any. @throws ApiError `invalid_parameter` for a code that is unknown */
export async function requestedRegions(
  read: Read,
  slug: string,
  region: readonly string[] | undefined,
): Promise<string[] | null> {
  if (region === undefined) return null;
  if (region.length > 1 || region[0] !== ALL_REGIONS) return resolveRegions('region', region);
  const rows = await read<{ region: string }>(
    'SELECT s.region FROM series s WHERE s.indicator = $1 ORDER BY s.region COLLATE "C"',
    [slug],
  );
  return rows.map((row) => row.region);
}

export const STORED_INDICATORS = `${INDICATORS}
  WHERE EXISTS (SELECT 1 FROM series s WHERE s.indicator = i.slug) ORDER BY i.ordinal`;

export const BOARD_INDICATORS = `${INDICATORS} WHERE i.on_board ORDER BY i.ordinal`;

export const REGIONS_WITH_SERIES = `
  SELECT r.code, r.name FROM regions r
  WHERE EXISTS (SELECT 1 FROM series s WHERE s.region = r.code) ORDER BY r.code`;

export const BOARD_REGIONS = `
  SELECT code, name FROM regions WHERE board_order IS NOT NULL ORDER BY board_order`;

const REGION = `s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins`;
const POINT = `o.period, o.value, o.valid_from AS "knownSince"`;

/** The observations of series `s` in periods $3 to $4 that were known by the end of day $2. */
const KNOWN = 'l.series_id = s.id AND l.valid_from <= $2 AND l.period BETWEEN $3 AND $4';

/** Whole series as known at the end of a day, each one walk of the index. $1 indicator, $2 day, $3–$4 periods, $5 regions */
export const WHOLE_SERIES = `
  SELECT ${REGION}, ${POINT}, coalesce(o.valid_to <= $2, false) AS withdrawn
  FROM series s JOIN regions r ON r.code = s.region CROSS JOIN LATERAL (
    SELECT DISTINCT ON (l.period) l.* FROM observations l
    WHERE ${KNOWN} ORDER BY l.period DESC, l.valid_from DESC) o
  WHERE s.indicator = $1 AND s.region = ANY ($5) ORDER BY s.region COLLATE "C", o.period`;

/** Every value that the periods of series had up to the end of a day, oldest first. $1 indicator, $2 day, $3–$4 periods, $5 regions */
export const ALL_VINTAGES = `
  SELECT ${REGION}, ${POINT}, coalesce(o.valid_to <= $2, false) AS withdrawn,
         CASE WHEN o.valid_to <= $2 THEN o.valid_to END AS "knownUntil"
  FROM series s JOIN regions r ON r.code = s.region
    CROSS JOIN LATERAL (SELECT * FROM observations l WHERE ${KNOWN}) o
  WHERE s.indicator = $1 AND s.region = ANY ($5) ORDER BY o.period, o.valid_from`;

const latestTwo = (condition: string): string => `
  SELECT ${REGION}, ${POINT}, false AS withdrawn
  FROM series s JOIN regions r ON r.code = s.region
  CROSS JOIN LATERAL ${newestPoints('s.id', '$2', 2, ' AND l.period BETWEEN $3 AND $4')} o
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
  SELECT s.region, o.period FROM series s CROSS JOIN LATERAL ${newestPoints('s.id', '$2', 1)} o
  WHERE s.indicator = $1 AND ($3::text[] IS NULL OR s.region = ANY ($3))`;

/**
 * The last period before a window without figures and the first one after it, as known at the end of a day.
 * $1 indicator, $2 day, $3–$4 periods, $5 regions or null
 */
export const NEAREST_PERIODS = `
  SELECT max(b.period) AS before, min(a.period) AS after FROM series s
  LEFT JOIN LATERAL ${newestPoints('s.id', '$2', 1, ' AND l.period < $3')} b ON true
  LEFT JOIN LATERAL (
    SELECT l.period FROM observations l
    WHERE l.series_id = s.id AND known_on($2, l.valid_from, l.valid_to) AND l.period > $4
    ORDER BY l.period LIMIT 1) a ON true
  WHERE s.indicator = $1 AND ($5::text[] IS NULL OR s.region = ANY ($5))`;

/** The regions with figures of an indicator. */
export const REGIONS_STORED = `
  SELECT r.code, r.name, s.newest_period AS newest
  FROM regions r JOIN series s ON s.region = r.code WHERE s.indicator = $1 ORDER BY r.code`;

/** The other countries with figures of an indicator, those of the board first. $1 indicator, $2 regions */
export const COUNTRIES_BESIDE = `
  SELECT r.name FROM series s JOIN regions r ON r.code = s.region
  WHERE s.indicator = $1 AND s.newest_period IS NOT NULL AND r.kind = 'country' AND r.code <> ALL ($2)
  ORDER BY r.board_order NULLS LAST, r.code`;

const NEWEST_TWO = `CROSS JOIN LATERAL (
    SELECT DISTINCT ON (l.period) l.* FROM observations l
    WHERE l.series_id = s.id ORDER BY l.period DESC, l.valid_from DESC LIMIT 2) o`;

/** The newest two observations of every series of a region. $1 region */
export const LATEST_TWO_OF_REGION = `
  SELECT s.indicator, ${REGION}, ${POINT}, o.valid_to IS NOT NULL AS withdrawn
  FROM series s JOIN regions r ON r.code = s.region ${NEWEST_TWO}
  WHERE s.region = $1 AND s.indicator IS NOT NULL ORDER BY s.indicator, o.period`;

/**
 * The newest two observations of all series of the board, as known today; `OFFSET 0` keeps the planner from reading all
 * observations instead of looking each series up.
 */
export const BOARD_LATEST_TWO = `
  SELECT s.indicator, ${REGION}, ${POINT}, o.valid_to IS NOT NULL AS withdrawn
  FROM indicators i CROSS JOIN regions r
  CROSS JOIN LATERAL (SELECT * FROM series x WHERE x.indicator = i.slug AND x.region = r.code OFFSET 0) s
  ${NEWEST_TWO}
  WHERE r.board_order IS NOT NULL AND i.on_board`;

/** A series with figures that changed since a moment, and the periods from the first of them to the last. */
export interface ChangedSeriesRow extends SeriesRegionRow {
  readonly from: string;
  readonly to: string;
  /** The newest period with a value; null if all are withdrawn. */
  readonly newest: string | null;
}

/** $1 indicator, $2 instant, $3 regions or null, $4 the last region of the previous page or '', $5 most */
export const CHANGED_SERIES = `
  SELECT ${REGION}, c.first AS "from", c.last AS "to", s.newest_period AS newest
  FROM series s JOIN regions r ON r.code = s.region CROSS JOIN LATERAL (
    SELECT min(v.first_period) AS first, max(v.last_period) AS last FROM ${seriesChanges('$2')} HAVING count(*) > 0) c
  WHERE s.indicator = $1 AND ($3::text[] IS NULL OR s.region = ANY ($3)) AND s.region COLLATE "C" > $4
  ORDER BY s.region COLLATE "C" LIMIT $5`;

/** Every value of the periods of each region, oldest first. $1 indicator, $2 regions, $3–$4 first and last period of each */
export const CHANGED_OBSERVATIONS = `
  SELECT ${REGION}, ${POINT}, o.valid_to AS "knownUntil", o.valid_to IS NOT NULL AS withdrawn
  FROM unnest($2::text[], $3::text[], $4::text[]) AS c (region, first, last)
    JOIN series s ON s.indicator = $1 AND s.region = c.region JOIN regions r ON r.code = s.region
    JOIN observations o ON o.series_id = s.id AND o.period BETWEEN c.first AND c.last
  ORDER BY s.region COLLATE "C", o.period, o.valid_from`;

export interface StoredSpanRow {
  readonly slug: string;
  readonly economies: number;
  readonly first: string | null;
  readonly newest: string | null;
  readonly dataVersion: number | null;
  readonly publishedAt: Date | null;
}

/** How much is stored of each indicator, and when its figures last changed. */
export const STORED_SPANS = `
  SELECT s.indicator AS slug, count(s.oldest_period) AS economies, min(s.oldest_period) AS first, max(s.newest_period) AS newest,
         p.data_version AS "dataVersion", p.published_at AS "publishedAt"
  FROM series s
    LEFT JOIN resource_families f ON f.family = 'macro/' || s.indicator
    LEFT JOIN publications p ON p.data_version = f.data_version
  WHERE s.indicator IS NOT NULL GROUP BY s.indicator, p.data_version`;
