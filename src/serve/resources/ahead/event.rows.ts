import type { Statement } from '../../../store/snapshots.js';
import { binding, firstRows, pageRows } from '../../../store/statement-text.js';
import type { MissingReason } from '../../../domain/figures/figure.schema.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { IndicatorEntity } from '../macro/indicator.entity.js';
import { publishedFrom } from '../removals.rows.js';
import type { CalendarEventEntity } from './ahead.entity.js';

/**
 * An event with its indicator and region. Where `decision` is set, each period is the day from which a decision holds.
 */
export interface ScheduledEvent
  extends
    Omit<CalendarEventEntity, 'orderAt' | 'sourceUrl' | 'withheld' | 'vintageDay' | 'dataVersion'>,
    Pick<IndicatorEntity, 'name' | 'decision'> {
  readonly regionName: Localized;
}

export interface EventRow extends ScheduledEvent, Pick<IndicatorEntity, 'unit' | 'timetable'> {
  readonly currency: string | null;
  readonly origins: readonly string[];
  readonly actual: Known | null;
  readonly actualMissing: MissingReason | null;
  readonly revisedFrom: Known | null;
  readonly previous: Known | null;
  readonly previousMissing: MissingReason | null;
  readonly changeId: string | null;
}

/** A figure as it was known; the decimal is a text, so that it keeps every digit. */
export interface Known {
  readonly period: string;
  readonly value: string;
  readonly since: string;
}

export interface EventFilter {
  /** Days, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Matches any of them. */
  readonly regions?: readonly string[] | undefined;
  readonly coverage?: string | undefined;
  readonly topic?: string | undefined;
  readonly importance?: string | undefined;
  readonly publishedFrom?: Date | undefined;
  readonly after?: EventPosition | undefined;
}

/** The sort key of an event: its day, its instant or `-infinity`, its id. */
export interface EventPosition {
  readonly day: string;
  readonly at: string;
  readonly id: string;
}

/**
 * The figures of each event of `page`. `f` is the first state of its period that was valid on its day or later, with
 * the vintage that contains it. `o` is the same state if it belongs to this event: it is no later than the next print's
 * day, and close to the event's own day if the period has several prints. All other figures are as that vintage knew
 * them, or as known now if there is no such vintage. Each LIMIT keeps the planner from reading whole series for a few
 * rows.
 */
const SHOWN = `
  SELECT e.id, e.indicator, i.short_name AS name, i.unit, i.decision, i.timetable, e.region, r.name AS "regionName", r.currency, e.period,
         e.previous_period AS "previousPeriod", e.estimate, e.scheduled_on AS "scheduledOn",
         e.time_zone AS "timeZone", e.scheduled_at AS "scheduledAt", e.status, e.importance, e.source_id AS source,
         coalesce(s.origins, '{}') AS origins,
         CASE WHEN o.day IS NOT NULL THEN jsonb_build_object(
           'period', o.period, 'value', o.value::text, 'since', o.valid_from) END AS actual,
         CASE WHEN o.day IS NOT NULL THEN NULL
              WHEN f.day IS NOT NULL THEN 'not_held'
              WHEN e.status = 'cancelled' OR covered.is THEN 'not_published'
              ELSE 'awaited' END AS "actualMissing",
         CASE WHEN b.value IS NOT NULL THEN jsonb_build_object(
           'period', o.period, 'value', b.value::text, 'since', b.valid_from) END AS "revisedFrom",
         CASE WHEN p.known THEN jsonb_build_object(
           'period', p.period, 'value', p.value::text, 'since', p.valid_from) END AS previous,
         CASE WHEN p.known THEN NULL
              WHEN s.id IS NULL OR (i.decision AND p.period IS NULL) THEN 'not_held'
              WHEN p.period IS NULL THEN 'not_published'
              ELSE 'withdrawn_by_source' END AS "previousMissing",
         (SELECT c.id FROM changes c
          WHERE c.series_id = s.id AND c.vintage_day = o.day AND c.period = o.period AND c.status <> 'withdrawn'
          ORDER BY c.id LIMIT 1) AS "changeId"
  FROM page e
    JOIN indicators i ON i.slug = e.indicator
    JOIN regions r ON r.code = e.region
    LEFT JOIN LATERAL (
      SELECT x.id, x.origins FROM series x WHERE x.indicator = e.indicator AND x.region = e.region LIMIT 1) s ON true
    LEFT JOIN LATERAL (
      SELECT x.*, CASE
          WHEN x.valid_from >= e.scheduled_on OR coalesce(e.estimate, 1) = 1 THEN x.valid_from
          ELSE (SELECT min(v.day) FROM series_vintages v
                WHERE v.series_id = s.id AND v.day >= e.scheduled_on AND (x.valid_to IS NULL OR v.day < x.valid_to)
                  AND e.period BETWEEN v.first_period AND v.last_period) END AS day
      FROM observations x
      WHERE x.series_id = s.id AND (x.valid_to IS NULL OR x.valid_to > e.scheduled_on)
        AND x.period BETWEEN e.period AND CASE
          WHEN i.decision THEN (e.period::date + 1)::text ELSE e.period END
      ORDER BY x.period, x.valid_from LIMIT 1) f ON true
    LEFT JOIN LATERAL (
      SELECT f.* WHERE e.estimate IS NULL OR f.day < least(e.scheduled_on + 45, (
        SELECT min(n.scheduled_on) FROM calendar_events n
        WHERE n.indicator = e.indicator AND n.region = e.region AND n.period = e.period
          AND n.estimate > e.estimate))) o ON true
    LEFT JOIN LATERAL (
      SELECT x.value, x.valid_from FROM observations x
      WHERE x.series_id = s.id AND x.period = o.period AND x.valid_from < o.day AND x.valid_to = o.day
        AND x.value <> o.value LIMIT 1) b ON true
    LEFT JOIN LATERAL (
      SELECT x.period, x.value, x.valid_from,
             known_on(coalesce(o.day, 'infinity'), x.valid_from, x.valid_to) AS known
      FROM observations x
      WHERE x.series_id = s.id AND x.valid_from <= coalesce(o.day, 'infinity')
        AND x.period BETWEEN CASE WHEN i.decision THEN '' ELSE e.previous_period END AND e.previous_period
      ORDER BY x.period DESC, x.valid_from DESC LIMIT 1) p ON true
    LEFT JOIN LATERAL (
      SELECT EXISTS (
        SELECT FROM series_vintages v WHERE v.series_id = s.id AND v.day >= e.scheduled_on
          AND e.period BETWEEN v.first_period AND v.last_period) AS is) covered ON true`;

const ORDER = 'e.scheduled_on, e.order_at, e.id';

/** One page in time order, plus one row that tells whether another page follows. */
export function eventsStatement(filter: EventFilter, limit: number): Statement {
  const { parameters, bind, conditions } = filtered(filter);
  // The last position of the previous page is a tighter bound than the start of the window.
  const { after, from, to } = filter;
  conditions.push(`e.scheduled_on BETWEEN ${bind(after?.day ?? from)}::date AND ${bind(to)}::date`);
  if (after !== undefined) {
    const place = `${bind(after.day)}::date, ${bind(after.at)}::timestamptz, ${bind(after.id)}::text`;
    conditions.push(`(${ORDER}) > (${place})`);
  }
  const sql = `
    WITH page AS MATERIALIZED (${firstRows(
      `SELECT e.* FROM calendar_events e WHERE ${conditions.join(' AND ')} ORDER BY ${ORDER}`,
      pageRows(limit, bind),
    )})
    ${SHOWN} ORDER BY ${ORDER}`;
  return { sql, parameters };
}

/** The nearest days with events before and after an empty window. */
export function nearestDaysStatement(filter: EventFilter): Statement {
  const { parameters, bind, conditions } = filtered(filter);
  const wanted = conditions.map((condition) => ` AND ${condition}`).join('');
  const sql = `
    SELECT (SELECT max(e.scheduled_on) FROM calendar_events e
            WHERE e.scheduled_on < ${bind(filter.from)}::date${wanted}) AS before,
           (SELECT min(e.scheduled_on) FROM calendar_events e
            WHERE e.scheduled_on > ${bind(filter.to)}::date${wanted}) AS after`;
  return { sql, parameters };
}

/** Days of a window of which a series has no schedule. */
export interface ScheduleGap {
  readonly name: Localized;
  readonly regionName: Localized;
  /** The events beside them; null before the first one and after the last. */
  readonly last: string | null;
  readonly next: string | null;
}

/**
 * The indicators of a selection whose schedule begins, ends or pauses within a window: for longer than usually lies between two
 * of its events, and a quarter more where it is known before.
 */
export function scheduleGapsStatement(filter: EventFilter): Statement {
  const { parameters, bind, conditions } = filtered(filter);
  const [from, to] = [`${bind(filter.from)}::date`, `${bind(filter.to)}::date`];
  const sql = `
    WITH events AS (
      SELECT e.indicator, e.region, e.scheduled_on AS day, lead(e.scheduled_on) OVER (
        PARTITION BY e.indicator, e.region ORDER BY e.scheduled_on) AS next
      FROM calendar_events e ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
    ), schedules AS (
      SELECT indicator, region, min(day) AS first, max(day) AS last,
             coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY next - day), 30) AS usual
      FROM events GROUP BY indicator, region
    ), gaps AS (
      SELECT indicator, region, NULL::date AS last, first AS next FROM schedules WHERE first > ${to} OR first - ${from} > usual
      UNION ALL
      SELECT indicator, region, last, NULL FROM schedules WHERE last < ${from} OR ${to} - last > usual * 1.25
      UNION ALL
      SELECT e.indicator, e.region, e.day, e.next FROM events e JOIN schedules s USING (indicator, region)
      WHERE e.next - e.day > s.usual * 1.25 AND (e.day < ${from} AND e.next > ${to} OR least(e.next, ${to}) - greatest(e.day, ${from}) > s.usual * 1.25)
    )
    SELECT i.short_name AS name, r.name AS "regionName", g.last::text, g.next::text
    FROM gaps g JOIN indicators i ON i.slug = g.indicator JOIN regions r ON r.code = g.region
    ORDER BY g.last DESC NULLS LAST, i.ordinal, r.code`;
  return { sql, parameters };
}

export const ONE_EVENT = `
  WITH page AS MATERIALIZED (SELECT * FROM calendar_events WHERE id = $1) ${SHOWN}`;

export const EVENT_HISTORY = `
  SELECT h.scheduled_on AS "scheduledOn", h.time_zone AS "timeZone", h.scheduled_at AS "scheduledAt", h.status,
         h.vintage_day AS "statedOn", h.replaced_on AS "replacedOn"
  FROM calendar_event_history h WHERE h.event_id = $1 ORDER BY h.data_version`;

export interface HistoryRow extends Pick<CalendarEventEntity, 'scheduledOn' | 'timeZone' | 'scheduledAt' | 'status'> {
  readonly statedOn: string;
  readonly replacedOn: string;
}

/** Its schedule or its figures; of a decision, the figure before may be of any earlier period. */
const changedSince = (since: string): string => `(
  ${publishedFrom('e.data_version', since)}
  OR EXISTS (
    SELECT FROM series s JOIN series_versions v ON v.series_id = s.id JOIN indicators i ON i.slug = s.indicator
    WHERE s.indicator = e.indicator AND s.region = e.region AND ${publishedFrom('v.data_version', since)}
      AND v.first_period <= CASE WHEN i.decision THEN (e.period::date + 1)::text ELSE e.period END
      AND (i.decision OR v.last_period >= e.previous_period)))`;

function filtered({ regions, coverage, topic, importance, publishedFrom: since }: EventFilter) {
  const { parameters, bind } = binding();
  const conditions: string[] = [];
  if (regions?.length === 1) conditions.push(`e.region = ${bind(regions[0])}`);
  else if (regions !== undefined) conditions.push(`e.region = ANY (${bind(regions)})`);
  if (since !== undefined) conditions.push(changedSince(bind(since)));
  if (importance !== undefined) conditions.push(`e.importance = ${bind(importance)}`);
  if (coverage !== undefined) {
    conditions.push(
      `e.indicator IN (SELECT c.indicator FROM indicator_coverage c WHERE c.coverage = ${bind(coverage)})`,
    );
  }
  if (topic !== undefined) {
    conditions.push(`e.indicator IN (SELECT t.indicator FROM indicator_topics t WHERE t.topic = ${bind(topic)})`);
  }
  return { parameters, bind, conditions };
}
