// Queries that make a brief. They read its day from the temporary table `brief_changes`.
import { creditColumns, creditJoin, type Credited } from '../../derive/credit.js';
import type { ToldChange } from './told-change.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { MOST_A_SECTION, MOST_CHANGES_AN_ITEM } from './pick-items.js';

/** Countries, and aggregates that people call one economy. */
const ECONOMY = `(r.kind = 'country' OR r.code IN ('EMU', 'EUU', 'WLD'))`;

/**
 * The published changes of every affected day. A change appears in one section, the first of its domains in the
 * catalogue's order; similar changes share an item.
 */
export const GATHER = `
  CREATE TEMP TABLE brief_changes ON COMMIT DROP AS
  SELECT t.day, c.id, c.position, c.kind, c.importance, c.occurred_basis AS basis, c.known_since, c.period,
         c.source_id AS source, coalesce(s.origins, '{}') AS origins, s.region, coalesce(r.kind = 'country', false) AS country,
         coalesce(${ECONOMY}, true) AS economy,
         c.kind = 'revision' AND coalesce(abs(c.delta) < 0.005, false) AS hidden,
         d.key AS section, d.ordinal AS section_ordinal, coalesce(i.ordinal, n.ordinal, 0) AS ordinal,
         coalesce(r.weight, 0) AS weight,
         CASE WHEN c.kind = 'revision' THEN concat_ws(' ', coalesce(s.indicator, s.instrument), c.vintage_day)
              ELSE c.id END AS item
  FROM (SELECT DISTINCT occurred_at::date AS day FROM affected_changes) t
    JOIN changes c ON c.occurred_at >= t.day AND c.occurred_at < t.day + 1 AND c.status <> 'withdrawn'
    LEFT JOIN derivable_series s ON s.id = c.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument
    LEFT JOIN regions r ON r.code = s.region
    CROSS JOIN LATERAL (
      SELECT d.key, d.ordinal FROM change_coverage x JOIN coverage_domains d ON d.key = x.coverage
      WHERE x.position = c.position ORDER BY d.ordinal, d.key LIMIT 1) d;
  CREATE INDEX ON brief_changes (day);
  ANALYZE brief_changes;`;

export const AFFECTED_DAYS = 'SELECT DISTINCT occurred_at::date AS day FROM affected_changes ORDER BY 1';

/** An economy stands for its item before a group of countries, and a revision that is seen before one that rounding hides. */
const OF_MEMBERS = 'ORDER BY economy DESC, hidden, importance DESC, weight DESC, id COLLATE "C"';
const OF_ITEMS =
  'ORDER BY importance DESC, section_ordinal, ordinal, weight DESC, changes DESC, members[1] COLLATE "C"';

export interface BriefCandidateRow {
  readonly section: string;
  /** Number of its changes. */
  readonly changes: number;
  readonly regions: number;
  /** Without aggregates. */
  readonly economies: number;
  readonly periods: number;
  readonly importance: number;
  /** Ids of its most important changes, in order. */
  readonly members: readonly [string, ...string[]];
}

/**
 * The most important items of each section. Equal importance leaves the order to the catalogue: of domains, of
 * indicators, and of economies by their weight. $1 day
 */
export const CANDIDATES = `
  WITH items AS (
    SELECT section, section_ordinal, ordinal, count(*) AS changes, count(DISTINCT region) AS regions,
           count(DISTINCT region) FILTER (WHERE country) AS economies, count(DISTINCT period) AS periods,
           (array_agg(importance ${OF_MEMBERS}))[1] AS importance, (array_agg(weight ${OF_MEMBERS}))[1] AS weight,
           (array_agg(id ${OF_MEMBERS}))[1:${MOST_CHANGES_AN_ITEM}] AS members
    FROM brief_changes WHERE day = $1 GROUP BY section, section_ordinal, ordinal, item
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY section ${OF_ITEMS}) AS place FROM items
  )
  SELECT section, changes, regions, economies, periods, importance, members FROM ranked
  WHERE place <= ${MOST_A_SECTION} ${OF_ITEMS}`;

export interface BriefSectionRow {
  readonly key: string;
  readonly changes: number;
}

/** The newest vintage that the day's changes became known with, if that is later than the day. $1 day */
export const COMPILED_UNTIL = `
  SELECT max(known_since) AS day FROM brief_changes WHERE day = $1 AND known_since > day`;

/** In the catalogue's order. $1 day */
export const SECTIONS = `
  SELECT d.key, count(*) AS changes
  FROM brief_changes b JOIN coverage_domains d ON d.key = b.section
  WHERE b.day = $1 GROUP BY d.key, d.ordinal ORDER BY d.ordinal, d.key`;

export interface LeadRow extends ToldChange {
  readonly id: string;
  readonly summary: Localized;
}

/** The most important change of each item; with the figure of the same month a year earlier, as known then. $1 ids */
export const LEADS = `
  SELECT c.id, c.kind, c.headline, c.summary, c.period, c.actual_value::text AS actual,
         c.previous_value::text AS previous, c.previous_period AS "previousPeriod", c.rebasing,
         coalesce(s.indicator, s.instrument) AS subject, i.short_name AS name, i.wording,
         n.name AS "instrumentName", n.curve, coalesce(i.unit, n.unit) AS unit, coalesce(r.currency, n.currency) AS currency,
         r.code AS region, r.name AS "regionName", coalesce(${ECONOMY}, false) AS economy,
         coalesce(r.kind = 'aggregate', false) AS aggregate, coalesce(r.weight, n.attention, 0) AS weight,
         (SELECT o.value::text FROM derivable_observations o
          WHERE o.series_id = c.series_id
            AND o.period = CASE WHEN c.period ~ '^\\d{4}-\\d{2}$'
                             THEN (left(c.period, 4)::integer - 1)::text || right(c.period, 3) END
            AND known_on(c.known_since, o.valid_from, o.valid_to)) AS "yearBefore"
  FROM changes c
    LEFT JOIN derivable_series s ON s.id = c.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument
    LEFT JOIN regions r ON r.code = s.region
  WHERE c.id = ANY ($1)`;

export interface PublisherRow extends Credited {
  readonly basis: 'updated' | 'retrieved' | null;
}

/** $1 day */
export const PUBLISHERS = `
  SELECT ${creditColumns('p')},
         CASE WHEN bool_or(b.basis = 'retrieved') THEN 'retrieved' WHEN bool_or(b.basis = 'updated') THEN 'updated' END AS basis
  FROM brief_changes b JOIN sources p ON p.id = b.source ${creditJoin('p', 'b.origins')}
  WHERE b.day = $1 GROUP BY 1, 2, 3, 4 ORDER BY count(*) DESC, min(p.id)`;
