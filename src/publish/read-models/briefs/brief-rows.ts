// Queries that make briefs. They read the days' changes from the temporary table `brief_changes`; each row names its day.
import { NOISE } from '../../../domain/figures/noise.js';
import { creditColumns, creditJoin, type Credited } from '../../derive/credit.js';
import type { MentionedChange } from './mentioned-change.js';
import type { UnitCode } from '../../../domain/figures/units.js';
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
         CASE WHEN c.kind = 'revision' THEN concat_ws(' ', coalesce(s.indicator, s.instrument), c.vintage_day, c.revision ->> 'way')
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

interface OfDay {
  readonly day: string;
}

export interface BriefCandidateRow extends OfDay {
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
 * indicators, and of economies by their weight. $1 days
 */
export const CANDIDATES = `
  WITH items AS (
    SELECT day, section, section_ordinal, ordinal, count(*) AS changes, count(DISTINCT region) AS regions,
           count(DISTINCT region) FILTER (WHERE country) AS economies, count(DISTINCT period) AS periods,
           (array_agg(importance ${OF_MEMBERS}))[1] AS importance, (array_agg(weight ${OF_MEMBERS}))[1] AS weight,
           (array_agg(id ${OF_MEMBERS}))[1:${MOST_CHANGES_AN_ITEM}] AS members
    FROM brief_changes WHERE day = ANY ($1::date[]) GROUP BY day, section, section_ordinal, ordinal, item
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY day, section ${OF_ITEMS}) AS place FROM items
  )
  SELECT day, section, changes, regions, economies, periods, importance, members FROM ranked
  WHERE place <= ${MOST_A_SECTION} ${OF_ITEMS}`;

export interface BriefSectionRow extends OfDay {
  readonly key: string;
  readonly changes: number;
}

export interface CompiledUntilRow extends OfDay {
  readonly until: string;
}

/** The newest vintage that a day's changes became known with, if that is later than the day. $1 days */
export const COMPILED_UNTIL = `
  SELECT day, max(known_since) AS until FROM brief_changes
  WHERE day = ANY ($1::date[]) AND known_since > day GROUP BY day`;

/** In the catalogue's order. $1 days */
export const SECTIONS = `
  SELECT b.day, d.key, count(*) AS changes
  FROM brief_changes b JOIN coverage_domains d ON d.key = b.section
  WHERE b.day = ANY ($1::date[]) GROUP BY b.day, d.key, d.ordinal ORDER BY d.ordinal, d.key`;

export interface LeadRow extends MentionedChange {
  readonly id: string;
  readonly summary: Localized;
}

/** The most important change of each item; with the figure of the same month a year earlier, as known then. $1 ids */
export const LEADS = `
  SELECT c.id, c.kind, c.headline, c.summary, c.period, c.actual_value::text AS actual,
         c.previous_value::text AS previous, c.previous_period AS "previousPeriod", c.rebasing,
         nullif(c.revision ->> 'way', 'restated') AS presence, coalesce(s.indicator, s.instrument) AS subject, i.short_name AS name, i.wording,
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

/** What a move has of a change; steps that are no changes have the same. */
export interface OrdinaryStepRow {
  readonly instrumentName: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly actual: string;
  readonly previous: string;
  readonly previousPeriod: string;
  /** How much people watch the instrument. */
  readonly weight: number;
}

export interface DatedStepRow extends OrdinaryStepRow, OfDay {}

const SIZE = (actual: string, previous: string): string =>
  `CASE i.kind WHEN 'rate' THEN abs(${actual} - ${previous}) ELSE abs((${actual} - ${previous}) / nullif(${previous}, 0)) END`;

/**
 * Steps of the day that are no moves, of instruments that people watch, as known with the day's changes: larger ones than the largest
 * move of their kind, and commodities of its own unit that went its way by half as much, as one oil price beside the other. Beside moves
 * of other kinds alone, commodities that moved by more than 5%. $1 days
 */
export const ORDINARY_STEPS = `
  WITH moved AS (
    SELECT b.day, s.instrument, i.kind, i.unit, ${SIZE('c.actual_value', 'c.previous_value')} AS size,
           sign(c.actual_value - c.previous_value) AS way, b.known_since, c.period
    FROM brief_changes b JOIN changes c USING (id) JOIN derivable_series s ON s.id = c.series_id
      JOIN instruments i ON i.key = s.instrument
    WHERE b.day = ANY ($1::date[]) AND c.kind = 'move' AND c.period = to_char(b.day, 'YYYY-MM-DD')
  ), largest AS (
    (SELECT DISTINCT ON (day, kind) *, max(known_since) OVER (PARTITION BY day, kind) AS known FROM moved ORDER BY day, kind, size DESC)
    UNION ALL
    SELECT day, NULL, 'commodity', NULL, 0.05, 0, NULL, period, max(known_since) FROM moved
    GROUP BY day, period HAVING NOT bool_or(kind = 'commodity')
  )
  SELECT l.day, i.name AS "instrumentName", i.unit, i.currency, now.value::text AS actual, before.value::text AS previous,
         before.period AS "previousPeriod", i.attention AS weight
  FROM largest l JOIN instruments i USING (kind) JOIN derivable_series s ON s.instrument = i.key
    JOIN derivable_observations now ON now.series_id = s.id AND now.period = l.period
      AND known_on(l.known, now.valid_from, now.valid_to)
    CROSS JOIN LATERAL (
      SELECT o.period, o.value FROM derivable_observations o
      WHERE o.series_id = s.id AND o.period < l.period AND known_on(l.known, o.valid_from, o.valid_to)
      ORDER BY o.period DESC LIMIT 1) before
  WHERE i.native_timeframe = 'D1' AND i.attention >= 65
    AND ${SIZE('now.value', 'before.value')} > CASE WHEN i.kind = 'commodity' AND i.unit = l.unit AND sign(now.value - before.value) = l.way
        THEN l.size / 2 ELSE l.size END
    AND NOT EXISTS (SELECT FROM moved m WHERE m.day = l.day AND m.instrument = i.key)
  ORDER BY i.attention DESC, i.key`;

export interface SmallerRow extends OfDay {
  readonly count: number;
}

/**
 * How many figures a day's vintages restated by too little for a change, of the series whose changes are derived. $1 days
 */
export const SMALLER = `
  SELECT v.day, count(*) AS count
  FROM series_vintages v JOIN derivable_series s ON s.id = v.series_id AND s.indicator IS NOT NULL
    JOIN derivable_observations now ON now.series_id = v.series_id AND now.valid_from = v.day
    JOIN derivable_observations before ON before.series_id = v.series_id AND before.period = now.period
      AND before.valid_to = v.day
  WHERE v.day IN (SELECT b.day FROM brief_changes b WHERE b.day = ANY ($1::date[]) AND b.kind = 'revision')
    AND v.day > s.baseline_day AND NOT v.backfilled
    AND abs(now.value - before.value) > ${NOISE} * greatest(abs(now.value), abs(before.value))
    AND abs(now.value - before.value) <= 0.001 * greatest(abs(now.value), abs(before.value))
  GROUP BY v.day`;

export interface PublisherRow extends Credited, OfDay {
  readonly basis: 'updated' | 'retrieved' | null;
}

/** $1 days */
export const PUBLISHERS = `
  SELECT b.day, ${creditColumns('p')},
         CASE WHEN bool_or(b.basis = 'retrieved') THEN 'retrieved' WHEN bool_or(b.basis = 'updated') THEN 'updated' END AS basis
  FROM brief_changes b JOIN sources p ON p.id = b.source ${creditJoin('p', 'b.origins')}
  WHERE b.day = ANY ($1::date[]) GROUP BY 1, 2, 3, 4, 5 ORDER BY count(*) DESC, min(p.id)`;
