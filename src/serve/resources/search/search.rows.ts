import type { Localized } from '../../../domain/locale/locale.js';
import type { Named } from './score.rule.js';
import type { SearchDocumentEntity } from './search.entity.js';

export interface CandidateRow extends Pick<SearchDocumentEntity, 'id' | 'type' | 'key' | 'rank'> {
  readonly names: readonly string[];
  readonly named: Named | null;
  readonly whole: boolean;
}

export interface ShownRow {
  readonly id: number;
  readonly title: Localized;
  readonly snippet: Localized | null;
  readonly kind: string | null;
  readonly tickers: readonly string[] | null;
  readonly country: Localized | null;
  readonly indicators: number;
  readonly sources: readonly string[];
}

/** The data version to rank by: that of the first page, while all its documents exist. */
export const AS_OF = `
  SELECT CASE WHEN $1::integer >= h.data_version THEN $1::integer
              ELSE (SELECT coalesce(max(data_version), 0) FROM publications) END AS "dataVersion"
  FROM search_horizon h`;

const SHOWN = `d.since <= $1 AND (d.until IS NULL OR d.until > $1) AND ($2::text IS NULL OR d.type = $2)`;

/**
 * Searches one partition after another, which begin with the best ranks, and stops at enough matches; `OFFSET 0` keeps
 * the planner from another order.
 */
const matching = (query: string, most: number): string => `
  (SELECT f.id FROM (SELECT partition FROM search_partitions ORDER BY partition) s
   CROSS JOIN LATERAL (
     SELECT d.id FROM search_documents d
     WHERE d.words @@ replace(${query}, '~', s.partition::text)::tsquery AND ${SHOWN} ORDER BY d.id OFFSET 0) f
   LIMIT ${String(most)})`;

/**
 * What is named so, best rank first: any number of subsidiaries may share a name with the head of their group. $3 the key
 * of the query, then other forms of it.
 */
const NAMED = `
  (SELECT d.id, n.level FROM unnest($3::text[]) AS k (name) CROSS JOIN LATERAL (
     SELECT n.document, CASE WHEN n.name LIKE '%*' THEN 3 WHEN n.loose OR n.name <> ($3::text[])[1] THEN 2 ELSE 1 END AS level
     FROM search_names n
     WHERE n.name = k.name ORDER BY n.rank DESC, n.document DESC LIMIT 100) n
   CROSS JOIN LATERAL (
     SELECT d.id FROM search_documents d
     WHERE d.id = n.document AND ${SHOWN}
       AND ($5::text IS NULL OR d.words @@ replace($5, '~', d.partition::text)::tsquery) OFFSET 0) d)`;

const measured = (found: string): string => `
  WITH found AS (${found})
  SELECT d.id, d.type, d.key, d.rank, d.names, f.whole,
    (ARRAY['whole', 'loose', 'leading'])[f.level] AS named
  FROM (SELECT id, min(level) AS level, bool_or(whole) AS whole FROM found GROUP BY id) f
    CROSS JOIN LATERAL (
      SELECT d.id, d.type, d.key, d.rank, t.names
      FROM search_documents d JOIN search_texts t ON t.document = d.id WHERE d.id = f.id OFFSET 0) d`;

/** All words $4, or the names $3, with the facet $5 or any. */
export const WITH_ALL = measured(
  `SELECT id, level, false AS whole FROM ${NAMED} n
   UNION ALL SELECT id, NULL, true FROM ${matching('$4', 100)} m`,
);

/** Any of the words. */
export const WITH_ANY = measured(`SELECT id, NULL::integer AS level, false AS whole FROM ${matching('$3', 100)} m`);

/** Texts of one page. */
export const TEXTS = `
  SELECT d.id, t.title, t.snippet, t.facts ->> 'kind' AS kind,
    CASE WHEN t.facts ? 'tickers' THEN ARRAY(SELECT jsonb_array_elements_text(t.facts -> 'tickers')) END AS tickers,
    (SELECT r.name FROM regions r WHERE r.code = t.facts ->> 'country') AS country,
    CASE WHEN d.type = 'country' THEN (SELECT count(*) FROM series s WHERE s.region = d.key) ELSE 0 END AS indicators,
    t.sources
  FROM search_documents d JOIN search_texts t ON t.document = d.id WHERE d.id = ANY ($1)`;

/** $1 an indicator */
export const ONLY_ECONOMY = `
  SELECT min(region) AS region FROM series WHERE indicator = $1 HAVING count(*) = 1`;

export interface InstrumentNameRow {
  readonly key: string;
  readonly title: Localized;
}

/** $1 keys, best first */
export const INSTRUMENTS_OF_KEYS = `
  SELECT n.key, n.name AS title FROM instruments n
  WHERE n.key = ANY ($1) AND EXISTS (SELECT FROM series s WHERE s.instrument = n.key)
  ORDER BY array_position($1::text[], n.key)`;

/** Those of the instruments $1 that are of one economy, which is none of $2. */
export const INSTRUMENTS_OF_OTHERS = `
  SELECT instrument FROM instrument_regions WHERE instrument = ANY ($1)
  GROUP BY instrument HAVING count(*) = 1 AND min(region) <> ALL ($2::text[] || 'WLD'::text)`;

/** What one unit of a currency costs on the average of a year: the series of the economies that pay with $1. */
export const RATES_OF_CURRENCY = `
  SELECT s.indicator, s.region, i.name AS "indicatorName", r.name AS "regionName"
  FROM series s JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
  WHERE i.unit = 'lcu_per_usd' AND r.currency = $1 AND length(r.code) = 2 ORDER BY i.ordinal, r.code LIMIT 1`;

export interface SeriesNameRow {
  readonly indicator: string;
  readonly region: string;
  readonly indicatorName: Localized;
  readonly regionName: Localized;
}

export interface NamedSeriesRow extends SeriesNameRow {
  readonly isIndex: boolean;
}

/**
 * The stored series of any of the indicators $1 and the economies $2, in the order of both, those of today first; without
 * economies, the one series of the first. Beside one indicator in one economy, others of its topics follow.
 */
export const SERIES_OF = `
  SELECT s.indicator, s.region, i.name AS "indicatorName", r.name AS "regionName", i.unit LIKE 'index%' AS "isIndex"
  FROM series s JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
  WHERE s.region = ANY ($2) AND (s.indicator = ANY ($1) OR ($3 AND i.unit LIKE 'index%' OR cardinality($2) = 1) AND EXISTS (
      SELECT FROM indicator_topics own JOIN indicator_topics other USING (topic)
      WHERE own.indicator = i.slug AND other.indicator = ANY ($1)))
    OR $2 = '{}' AND s.indicator = ($1::text[])[1] AND NOT EXISTS (
      SELECT FROM series other WHERE other.indicator = s.indicator AND other.region <> s.region)
  ORDER BY $3 AND i.unit LIKE 'index%' DESC, s.indicator <> ALL ($1),
    coalesce(left(s.newest_period, 4)::int, 0) < max(left(s.newest_period, 4)::int) OVER () - 2,
    array_position($1::text[], s.indicator), i.unit NOT LIKE 'index%', i.ordinal,
    array_position($2::text[], s.region) LIMIT 30`;
