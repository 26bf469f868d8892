// Queries that make a brief. They read its day from the temporary table `brief_changes`.
import type { ItemFigures } from './item-texts.js';
import type { Localized } from '../../../locale/locale.js';
import { MOST_A_SECTION, MOST_CHANGES_AN_ITEM } from './pick-items.js';

/**
 * The published changes of every affected day. A change appears in one section, the first of its domains in the
 * catalogue's order; similar changes share an item.
 */
export const GATHER = `
  CREATE TEMP TABLE brief_changes ON COMMIT DROP AS
  SELECT t.day, c.id, c.position, c.kind, c.importance, c.delta, c.period, c.occurred_basis AS basis,
         c.source_id AS source, s.region, d.key AS section,
         CASE WHEN c.kind = 'revision' THEN concat_ws(' ', coalesce(s.indicator, s.instrument), c.vintage_day)
              ELSE c.id END AS item
  FROM (SELECT DISTINCT occurred_at::date AS day FROM affected_changes) t
    JOIN changes c ON c.occurred_at >= t.day AND c.occurred_at < t.day + 1 AND c.status <> 'withdrawn'
    LEFT JOIN derivable_series s ON s.id = c.series_id
    CROSS JOIN LATERAL (
      SELECT d.key FROM change_coverage x JOIN coverage_domains d ON d.key = x.coverage
      WHERE x.position = c.position ORDER BY d.ordinal, d.key LIMIT 1) d;
  CREATE INDEX ON brief_changes (day);
  ANALYZE brief_changes;`;

export const AFFECTED_DAYS = 'SELECT DISTINCT occurred_at::date AS day FROM affected_changes ORDER BY 1';

export interface BriefCandidateRow {
  readonly section: string;
  /** Number of its changes. */
  readonly changes: number;
  readonly regions: number;
  readonly periods: number;
  readonly importance: number;
  /** Ids of its most important changes, in order. */
  readonly members: readonly [string, ...string[]];
}

/** The most important items of each section. $1 day */
export const CANDIDATES = `
  WITH items AS (
    SELECT section, count(*) AS changes, count(DISTINCT region) AS regions, count(DISTINCT period) AS periods,
           max(importance) AS importance,
           (array_agg(id ORDER BY importance DESC, id COLLATE "C"))[1:${MOST_CHANGES_AN_ITEM}] AS members
    FROM brief_changes WHERE day = $1 GROUP BY section, item
  ), ranked AS (
    SELECT *, row_number() OVER (
      PARTITION BY section ORDER BY importance DESC, changes DESC, members[1] COLLATE "C") AS place
    FROM items
  )
  SELECT section, changes, regions, periods, importance, members FROM ranked WHERE place <= ${MOST_A_SECTION}
  ORDER BY importance DESC, changes DESC, members[1] COLLATE "C"`;

export interface BriefSectionRow {
  readonly key: string;
  readonly name: Localized;
  readonly changes: number;
}

/** In the catalogue's order. $1 day */
export const SECTIONS = `
  SELECT d.key, d.name, count(*) AS changes
  FROM brief_changes b JOIN coverage_domains d ON d.key = b.section
  WHERE b.day = $1 GROUP BY d.key, d.name, d.ordinal ORDER BY d.ordinal, d.key`;

/** Countries, and aggregates that people call one economy. */
const ECONOMY = `(r.kind = 'country' OR r.code IN ('EMU', 'EUU'))`;

export interface LeadRow extends ItemFigures {
  readonly id: string;
  readonly kind: string;
  readonly headline: Localized;
  readonly summary: Localized;
}

/** $1 ids */
export const LEADS = `
  SELECT c.id, c.kind, c.headline, c.summary, c.period, c.actual_value::text AS actual,
         c.previous_value::text AS previous, coalesce(s.indicator, s.instrument) AS subject, i.short_name AS name,
         n.name AS "instrumentName", i.unit, r.currency, r.code AS region, r.name AS "regionName", coalesce(${ECONOMY} OR r.code = 'WLD', false) AS economy
  FROM changes c
    LEFT JOIN derivable_series s ON s.id = c.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument
    LEFT JOIN regions r ON r.code = s.region
  WHERE c.id = ANY ($1)`;

export interface TallyRow {
  readonly release: number;
  readonly revision: number;
  readonly move: number;
  readonly decision: number;
  readonly structure: number;
  readonly up: number;
  readonly down: number;
}

/** $1 day */
export const TALLY = `
  SELECT ${['release', 'revision', 'move', 'decision', 'structure']
    .map((kind) => `count(*) FILTER (WHERE kind = '${kind}') AS ${kind}`)
    .join(', ')},
         count(*) FILTER (WHERE kind = 'revision' AND delta > 0) AS up,
         count(*) FILTER (WHERE kind = 'revision' AND delta < 0) AS down
  FROM brief_changes WHERE day = $1`;

export interface BriefRegionRow {
  readonly code: string;
  readonly name: Localized;
  readonly economy: boolean;
  /** Economies of all, not of those listed; aggregates are none. */
  readonly total: number;
}

/** The economies of the day's figures, those of the most important changes first. $1 day */
export const REGIONS = `
  SELECT r.code, r.name, r.kind = 'country' AS economy, count(*) FILTER (WHERE r.kind = 'country') OVER () AS total
  FROM brief_changes b JOIN change_regions x ON x.position = b.position JOIN regions r ON r.code = x.region
  WHERE b.day = $1 AND b.kind IN ('release', 'revision', 'decision')
  GROUP BY r.code, r.kind, r.name, r.weight
  ORDER BY max(b.importance) DESC, r.weight DESC, r.code LIMIT 30`;

export interface PublisherRow {
  readonly name: Localized;
  readonly retrieved: boolean;
}

/** $1 day */
export const PUBLISHERS = `
  SELECT p.publisher AS name, bool_or(b.basis = 'retrieved') AS retrieved
  FROM brief_changes b JOIN sources p ON p.id = b.source
  WHERE b.day = $1 GROUP BY p.publisher ORDER BY count(*) DESC, min(p.id)`;
