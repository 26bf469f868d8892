import type pg from 'pg';
import type { Condition, FigureAt } from '../../../domain/figures/condition.js';
import type { Publication } from '../../publication/record-publication.js';
import { crossingHeadline, type AlertSubject } from '../../../domain/figures/alert-text.js';
import { evaluateAlert } from '../../../domain/figures/alert-evaluation.js';
import { grouped } from '../../../domain/grouped.js';

interface Watched extends Condition, AlertSubject {
  readonly id: string;
  readonly series: number;
  readonly evaluatedPeriod: string | null;
  readonly met: boolean | null;
  readonly state: 'armed' | 'triggered';
  /** Whether the alert existed before this publication. */
  readonly older: boolean;
}

interface Figure extends FigureAt {
  readonly series: number;
  /** The change of this publication that made the figure. */
  readonly change: string | null;
}

/** Alerts on series with new figures, backfills excluded. */
export const VALUE_ALERTS = `
  SELECT a.id, a.metric, a.threshold::text, a.state, a.met, a.evaluated_period AS "evaluatedPeriod", a.created_at < $1 AS older,
         s.id AS series, coalesce(i.unit, n.unit) AS unit, coalesce(r.currency, n.currency) AS currency, coalesce(i.short_name, n.name) AS name, r.name AS region
  FROM declared_coverage e JOIN derivable_series s ON s.id = e.series_id
    CROSS JOIN LATERAL (
      SELECT id, metric, threshold, state, met, evaluated_period, created_at FROM alerts
      WHERE target_type = CASE WHEN s.instrument IS NULL THEN 'series' ELSE 'instrument' END
        AND target_key = coalesce(s.instrument, s.indicator || '@' || s.region)
        AND metric <> 'any_change' AND state <> 'paused' OFFSET 0) a
    LEFT JOIN indicators i ON i.slug = s.indicator LEFT JOIN regions r ON r.code = s.region
    LEFT JOIN instruments n ON n.key = s.instrument
  WHERE e.affected > 0 AND NOT e.newer
  ORDER BY a.id`;

/** The figures of each series after a period, and the newest before it, oldest first. */
const FIGURES = `
  SELECT w.series, o.period, o.value::text,
         (SELECT min(t.id) FROM affected_changes t JOIN changes c ON c.id = t.id
          WHERE t.how = 'made' AND t.series_id = w.series AND c.period = o.period) AS change
  FROM unnest($1::int[], $2::text[]) AS w (series, past)
    CROSS JOIN LATERAL (
      (SELECT period, value FROM derivable_observations
       WHERE series_id = w.series AND valid_to IS NULL AND period <= w.past ORDER BY period DESC LIMIT 1)
      UNION ALL
      (SELECT period, value FROM derivable_observations
       WHERE series_id = w.series AND valid_to IS NULL AND period > w.past)) o
  ORDER BY w.series, o.period`;

const STAND = `
  UPDATE alerts a SET evaluated_period = j.period, met = j.met, state = j.state
  FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[]) AS j (id, period, met, state)
  WHERE a.id = j.id`;

/** Without the alerts that their owners have removed since they were read. */
const SAY = `
  INSERT INTO alert_events (alert_id, change_id, series_id, headline, at)
  SELECT e.alert, e.change, e.series, e.headline, $1
  FROM unnest($2::text[], $3::text[], $4::int[], $5::jsonb[]) WITH ORDINALITY AS e (alert, change, series, headline, ordinal)
    JOIN alerts a ON a.id = e.alert
  ORDER BY e.ordinal
  FOR KEY SHARE OF a`;

/** Fires alerts on a value or its move. Returns how many were evaluated. */
export async function fireOnValues(client: pg.PoolClient, { beganAt }: Publication): Promise<number> {
  // Only imports have figures.
  const staged = await client.query(`SELECT to_regclass('pg_temp.declared_coverage') AS coverage`);
  if ((staged.rows as { coverage: string | null }[])[0]?.coverage == null) return 0;
  const watched = (await client.query<Watched>(VALUE_ALERTS, [beganAt])).rows;
  if (watched.length === 0) return 0;
  const figures = await figuresOf(client, watched);
  const stood: [string, string | null, boolean | null, string][] = [];
  const crossed: [string, string | null, number, string][] = [];
  for (const alert of watched) {
    const known = figures.get(alert.series) ?? [];
    const { last, crossings } = evaluateAlert(alert, alert, known);
    if (last.evaluatedPeriod === alert.evaluatedPeriod) continue;
    // A publication does not fire alerts that are created at the same moment.
    const fired = alert.older ? crossings : [];
    const state = last.met === true ? (fired.length > 0 ? 'triggered' : alert.state) : 'armed';
    stood.push([alert.id, last.evaluatedPeriod, last.met, state]);
    for (const crossing of fired) {
      const change = known.find(({ period }) => period === crossing.figure.period)?.change ?? null;
      crossed.push([alert.id, change, alert.series, JSON.stringify(crossingHeadline(alert, alert, crossing))]);
    }
  }
  await client.query(STAND, columns(stood, 4));
  await client.query(SAY, [beganAt, ...columns(crossed, 4)]);
  return stood.length;
}

async function figuresOf(client: pg.PoolClient, watched: readonly Watched[]): Promise<Map<number, Figure[]>> {
  // The earliest evaluated period of any alert on the series; '' precedes all periods.
  const past = new Map<number, string>();
  for (const { series, evaluatedPeriod } of watched) {
    const own = evaluatedPeriod ?? '';
    const known = past.get(series);
    if (known === undefined || own < known) past.set(series, own);
  }
  const { rows } = await client.query<Figure>(FIGURES, [[...past.keys()], [...past.values()]]);
  return grouped(rows, ({ series }) => series);
}

function columns(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at]));
}
