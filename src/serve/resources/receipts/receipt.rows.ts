import type { UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { ChangeContext } from '../changes/change.schema.js';
import type { Receipt } from './receipt.schema.js';

export interface DerivedChangeRow {
  readonly id: string;
  readonly position: string;
  readonly kind: Receipt['rule']['name'];
  readonly status: 'verified' | 'corrected' | 'withdrawn';
  readonly series: number | null;
  readonly unit: UnitCode | null;
  readonly period: string;
  readonly previousPeriod: string;
  readonly previousBasis: 'period' | 'vintage';
  readonly previousKnownSince: string | null;
  readonly vintageDay: string;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  readonly context:
    (Omit<ChangeContext, 'reference' | 'text'> & { readonly value: string; readonly text: Localized }) | null;
  /** The day as known on which the rule read the figures. */
  readonly knownOn: string;
}

export interface InputRow {
  readonly series: number;
  readonly indicator: string | null;
  readonly region: string | null;
  readonly instrument: string | null;
  readonly providerCode: string;
  readonly period: string;
  readonly value: string;
  readonly knownSince: string;
  readonly knownUntil: string | null;
  readonly source: string;
  readonly origins: readonly string[];
}

export interface StatedRelationRow {
  readonly childId: string;
  readonly child: string;
  readonly parentId: string;
  readonly parent: string;
  readonly relation: string;
  readonly since: string | null;
  readonly until: string | null;
  readonly statedSince: string;
  readonly statedUntil: string | null;
  readonly source: string;
}

const DERIVED = `
  SELECT c.id, c.position, c.kind, c.status, c.series_id AS series, coalesce(i.unit, n.unit) AS unit, c.period,
         c.previous_period AS "previousPeriod", c.previous_basis AS "previousBasis",
         c.previous_known_since AS "previousKnownSince", c.vintage_day AS "vintageDay",
         c.delta::text, c.delta_percent::text AS "deltaPercent", c.context,
         CASE c.kind WHEN 'move' THEN greatest(c.known_since, s.baseline_day) ELSE c.vintage_day END AS "knownOn"
  FROM changes c JOIN sources p ON p.id = c.source_id
    LEFT JOIN series s ON s.id = c.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument`;

/** $1 id */
export const DERIVED_CHANGE = `${DERIVED} WHERE c.id = $1`;

/** The changes that a signal rests on, oldest first. $1 signal */
export const DERIVED_OF_SIGNAL = `
  ${DERIVED} JOIN signal_changes l ON l.position = c.position
  WHERE l.signal = $1 AND c.status <> 'withdrawn' ORDER BY c.position`;

const INPUT = `
  SELECT o.series_id AS series, s.indicator, s.region, s.instrument,
         coalesce(i.provider_code, n.provider_code) AS "providerCode",
         o.period, o.value::text AS value, o.valid_from AS "knownSince", o.valid_to AS "knownUntil",
         s.source_id AS source, s.origins
  FROM observations o JOIN series s ON s.id = o.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN instruments n ON n.key = s.instrument`;

/** Every value that two periods of a series had. $1 series, $2 and $3 periods */
export const VALUES_OF_PERIODS = `
  ${INPUT} WHERE o.series_id = $1 AND o.period IN ($2::text, $3::text) ORDER BY o.period, o.valid_from`;

/**
 * The prices that the rule of a move read: as known when the move's own price became known; that price is the newest.
 * $1 series, $2 period, $3 limit
 */
export const PRICES_OF_MOVE = `
  WITH known AS (
    SELECT greatest(o.valid_from, s.baseline_day) AS day FROM observations o JOIN series s ON s.id = o.series_id
    WHERE o.series_id = $1 AND o.period = $2 AND o.valid_to IS NULL)
  SELECT * FROM (
    ${INPUT} CROSS JOIN known
    WHERE o.series_id = $1 AND o.period <= $2 AND known_on(known.day, o.valid_from, o.valid_to)
    ORDER BY o.period DESC LIMIT $3) w
  ORDER BY period`;

/**
 * The figures that the context of a change rests on, as known with the change.
 * $1 series, $2 and $3 first and last period, both inclusive, $4 day, $5 whether the figure before the first belongs to them
 */
export const FIGURES_OF_CONTEXT = `
  ${INPUT}
  WHERE o.series_id = $1 AND known_on($4, o.valid_from, o.valid_to) AND o.period <= $3 AND o.period >= CASE WHEN $5
    THEN coalesce((SELECT max(b.period) FROM observations b WHERE b.series_id = $1 AND b.period < $2), $2) ELSE $2 END
  ORDER BY o.period`;

/** Figures as known now. $1 series, $2 and $3 first and last period, both inclusive */
export const FIGURES_NOW = `
  ${INPUT} WHERE o.series_id = ANY ($1) AND o.valid_to IS NULL AND o.period BETWEEN $2 AND $3
  ORDER BY o.series_id, o.period`;

/**
 * The register's statements about the entities of a change that began or ended with its vintage. $1 position, $2 day
 */
export const RELATIONS_OF_CHANGE = `
  SELECT r.child AS "childId", coalesce(a.name, a.lei) AS child, r.parent AS "parentId", coalesce(b.name, b.lei) AS parent,
         r.kind AS relation, r.since, r.until, r.valid_from AS "statedSince", r.valid_to AS "statedUntil",
         r.source_id AS source
  FROM relations r JOIN entities a ON a.id = r.child JOIN entities b ON b.id = r.parent
  WHERE r.child IN (SELECT x.entity FROM change_entities x WHERE x.position = $1)
    AND r.parent IN (SELECT x.entity FROM change_entities x WHERE x.position = $1)
    AND (r.valid_from = $2 OR r.valid_to = $2)
  ORDER BY r.child, r.parent, r.kind`;
