import type { MissingReason } from '../../../domain/figures/figure.schema.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { BriefEntity } from './brief.entity.js';
import type { CoverageDomainEntity } from '../coverage/coverage.entity.js';
import type { InstrumentEntity } from '../markets/instrument.entity.js';
import type { EventRow, ScheduledEvent } from '../ahead/event.rows.js';

export interface BriefRow extends Omit<BriefEntity, 'dataVersion'> {
  readonly before: string | null;
  readonly after: string | null;
}

const BRIEF = `
  SELECT b.day, b.title, b.summary, b.compiled_until AS "compiledUntil",
         (SELECT max(p.day) FROM briefs p WHERE p.day < b.day) AS before,
         (SELECT min(n.day) FROM briefs n WHERE n.day > b.day) AS after
  FROM briefs b`;

/** $1 day */
export const ONE_BRIEF = `${BRIEF} WHERE b.day = $1`;
/** The neighbouring days with a brief, for a day without one. $1 day */
export const BRIEFS_AROUND = `
  (SELECT b.day FROM briefs b WHERE b.day < $1 ORDER BY b.day DESC LIMIT 1)
  UNION ALL (SELECT b.day FROM briefs b WHERE b.day > $1 ORDER BY b.day LIMIT 1)`;
export const LATEST_BRIEF = `${BRIEF} ORDER BY b.day DESC LIMIT 1`;

export interface SectionRow extends Pick<CoverageDomainEntity, 'key' | 'name'> {
  readonly omitted: number;
}

/** In the catalogue's order. $1 day */
export const BRIEF_SECTIONS = `
  SELECT d.key, d.name, s.omitted
  FROM brief_sections s JOIN coverage_domains d ON d.key = s.coverage
  WHERE s.day = $1 ORDER BY d.ordinal, d.key`;

export interface ItemRow {
  readonly coverage: string;
  readonly headline: Localized;
  readonly changes: number;
  readonly importance: number;
  readonly ids: readonly string[];
  /** Slug or key; null for a change without figures. */
  readonly series: string | null;
  readonly source: string;
  readonly origins: readonly string[];
  /** The day of the vintage from which the figure is known. */
  readonly knownSince: string;
  /** null for a change without figures, as are the columns below. */
  readonly unit: UnitCode | null;
  readonly currency: string | null;
  readonly period: string | null;
  readonly value: string | null;
  readonly previousValue: string | null;
  readonly previousPeriod: string | null;
  readonly previousBasis: 'period' | 'vintage' | null;
  readonly previousMissing: MissingReason | null;
}

/** By importance. $1 day */
export const BRIEF_ITEMS = `
  SELECT b.coverage, b.headline, b.changes, c.importance, coalesce(i.slug, n.key) AS series, c.source_id AS source, coalesce(s.origins, '{}') AS origins,
         ARRAY(SELECT m.change_id FROM brief_item_changes m
               WHERE m.day = b.day AND m.rank = b.rank ORDER BY m.ordinal) AS ids,
         c.known_since AS "knownSince", coalesce(i.unit, n.unit) AS unit, coalesce(r.currency, n.currency) AS currency, c.period, c.actual_value::text AS value,
         c.previous_value::text AS "previousValue", c.previous_period AS "previousPeriod",
         c.previous_basis AS "previousBasis", c.previous_missing AS "previousMissing"
  FROM brief_items b JOIN changes c ON c.id = b.change_id
    LEFT JOIN series s ON s.id = c.series_id
    LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN regions r ON r.code = s.region
    LEFT JOIN instruments n ON n.key = s.instrument
  WHERE b.day = $1 ORDER BY b.rank`;

export interface HeadlineCloseRow extends Pick<
  InstrumentEntity,
  'key' | 'kind' | 'name' | 'unit' | 'currency' | 'source'
> {
  readonly publisher: Localized;
  readonly origins: readonly string[];
  readonly period: string;
  readonly value: string;
  readonly knownSince: string;
}

/**
 * The last two closes of each instrument, newest first, as its source had printed them by the end of the day. An
 * instrument without a close in the week before the day is left out. $1 day, $2 keys in display order, $3 the day as of
 * whose end the closes were known
 */
export const HEADLINE_CLOSES = `
  SELECT n.key, n.kind, n.name, n.unit, n.currency, s.source_id AS source, p.publisher, s.origins,
         o.period, o.value::text, o.valid_from AS "knownSince"
  FROM unnest($2::text[]) WITH ORDINALITY AS w (key, ordinal)
    JOIN instruments n ON n.key = w.key AND NOT n.average AND n.native_timeframe = 'D1'
    JOIN series s ON s.instrument = n.key JOIN sources p ON p.id = s.source_id
    CROSS JOIN LATERAL (
      SELECT l.period, l.value, l.valid_from FROM observations l
      WHERE l.series_id = s.id AND l.period BETWEEN ($1::date - 40)::text AND $1::date::text
        AND known_on($3::date, l.valid_from, l.valid_to)
      ORDER BY l.period DESC LIMIT 2) o
  ORDER BY w.ordinal, o.period DESC`;

export interface UpcomingEventRow
  extends Omit<ScheduledEvent, 'status'>, Pick<EventRow, 'unit' | 'currency' | 'origins' | 'previous'> {
  /** Of the same period by the estimate before; null for a first one. */
  readonly earlier: string | null;
}

/**
 * The events scheduled for the seven days after a day, as the schedule was known then: the current state unless it is
 * newer than that, else the state before a rescheduling; each with the figure before. Selects the most important events
 * and returns them in time order. $1 day, $2 the day as of whose end all of it was known
 */
export const EVENTS_AHEAD = `
  WITH known AS (
    SELECT e.id, e.scheduled_on, e.time_zone, e.scheduled_at, e.status FROM calendar_events e
    WHERE e.vintage_day <= $2 AND e.scheduled_on > $1::date AND e.scheduled_on <= $1::date + 7
    UNION ALL
    SELECT h.event_id, h.scheduled_on, h.time_zone, h.scheduled_at, h.status FROM calendar_event_history h
    WHERE h.vintage_day <= $2 AND h.replaced_on > $2
      AND h.scheduled_on > $1::date AND h.scheduled_on <= $1::date + 7
  )
  SELECT e.id, e.indicator, i.short_name AS name, i.unit, i.decision, e.estimate, r.code AS region,
         r.name AS "regionName", r.currency, e.period, e.previous_period AS "previousPeriod", e.importance,
         k.scheduled_on AS "scheduledOn", k.time_zone AS "timeZone", k.scheduled_at AS "scheduledAt",
         e.source_id AS source, coalesce(s.origins, '{}') AS origins,
         CASE WHEN p.value IS NOT NULL THEN jsonb_build_object(
           'period', p.period, 'value', p.value::text, 'since', p.valid_from) END AS previous,
         (SELECT x.value::text FROM observations x
          WHERE e.estimate > 1 AND x.series_id = s.id AND x.period = e.period
            AND known_on($2::date, x.valid_from, x.valid_to)) AS earlier
  FROM known k JOIN calendar_events e USING (id)
    JOIN indicators i ON i.slug = e.indicator JOIN regions r ON r.code = e.region
    LEFT JOIN series s ON s.indicator = e.indicator AND s.region = e.region
    LEFT JOIN LATERAL (
      SELECT x.period, x.value, x.valid_from FROM observations x
      WHERE x.series_id = s.id AND known_on($2::date, x.valid_from, x.valid_to)
        AND x.period BETWEEN CASE WHEN i.decision THEN '' ELSE e.previous_period END AND e.previous_period
      ORDER BY x.period DESC LIMIT 1) p ON true
  WHERE k.status = 'scheduled'
  ORDER BY array_position('{high,medium,low}', e.importance), k.scheduled_on, k.scheduled_at NULLS FIRST, e.id
  LIMIT 20`;
