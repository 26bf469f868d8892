import type pg from 'pg';
import type { Condition, FigureAt } from '../../../figures/condition.js';
import type { RecordedRevision } from '../../revisions/record-revision.js';
import { crossingHeadline, type AlertSubject } from './alert-texts.js';
import { judge } from './alerts.rule.js';

interface Watched extends Condition, AlertSubject {
  readonly id: string;
  readonly series: number;
  readonly judgedPeriod: string | null;
  readonly met: boolean | null;
  readonly state: 'armed' | 'triggered';
  /** Whether it was there before this publication. */
  readonly older: boolean;
}

interface Figure extends FigureAt {
  readonly series: number;
  /** The change of this publication that stands behind the figure. */
  readonly change: string | null;
}

/** Alerts on series that got figures just now, other than ones of the past: those older than a vintage held. */
export const WATCHED = `
  SELECT a.id, a.metric, a.threshold::text, a.state, a.met, a.judged_period AS "judgedPeriod", a.created_at < $1 AS older,
         s.id AS series, coalesce(i.unit, n.unit) AS unit, coalesce(i.short_name, n.name) AS name, r.name AS region
  FROM spoken e JOIN derivable_series s ON s.id = e.series_id
    CROSS JOIN LATERAL (
      SELECT id, metric, threshold, state, met, judged_period, created_at FROM alerts
      WHERE target_type = CASE WHEN s.instrument IS NULL THEN 'series' ELSE 'instrument' END
        AND target_key = coalesce(s.instrument, s.indicator || '@' || s.region)
        AND metric <> 'any_change' AND state <> 'paused' OFFSET 0) a
    LEFT JOIN indicators i ON i.slug = s.indicator LEFT JOIN regions r ON r.code = s.region
    LEFT JOIN instruments n ON n.key = s.instrument
  WHERE e.affected > 0 AND NOT e.newer
  ORDER BY a.id`;

/** Of each series what was published past a period, and the newest before that, oldest first. */
const FIGURES = `
  SELECT w.series, o.period, o.value::text,
         (SELECT min(t.id) FROM touched t JOIN changes c ON c.id = t.id
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
  UPDATE alerts a SET judged_period = j.period, met = j.met, state = j.state
  FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[]) AS j (id, period, met, state)
  WHERE a.id = j.id`;

const SAY = `
  INSERT INTO alert_events (alert_id, change_id, series_id, headline, at)
  SELECT e.alert, e.change, e.series, e.headline, $1
  FROM unnest($2::text[], $3::text[], $4::int[], $5::jsonb[]) WITH ORDINALITY AS e (alert, change, series, headline, ordinal)
  ORDER BY e.ordinal`;

/** Alerts on a value or its move. Says how many were judged. */
export async function fireOnValues(
  client: pg.PoolClient,
  { publishedAt }: RecordedRevision,
): Promise<number> {
  // A withdrawal and the like bring no figures.
  const staged = await client.query(`SELECT to_regclass('pg_temp.spoken') AS spoken`);
  if ((staged.rows as { spoken: string | null }[])[0]?.spoken == null) return 0;
  const watched = (await client.query<Watched>(WATCHED, [publishedAt])).rows;
  if (watched.length === 0) return 0;
  const figures = await figuresOf(client, watched);
  const stood: [string, string | null, boolean | null, string][] = [];
  const said: [string, string | null, number, string][] = [];
  for (const alert of watched) {
    const known = figures.get(alert.series) ?? [];
    const { standing, crossings } = judge(alert, alert, known);
    if (standing.judgedPeriod === alert.judgedPeriod) continue;
    // What is published at the moment an alert is made is not news to it.
    const fired = alert.older ? crossings : [];
    const state = standing.met === true ? (fired.length > 0 ? 'triggered' : alert.state) : 'armed';
    stood.push([alert.id, standing.judgedPeriod, standing.met, state]);
    for (const crossing of fired) {
      const change = known.find(({ period }) => period === crossing.figure.period)?.change ?? null;
      said.push([alert.id, change, alert.series, JSON.stringify(crossingHeadline(alert, alert, crossing))]);
    }
  }
  await client.query(STAND, columns(stood, 4));
  await client.query(SAY, [publishedAt, ...columns(said, 4)]);
  return stood.length;
}

async function figuresOf(client: pg.PoolClient, watched: readonly Watched[]): Promise<Map<number, Figure[]>> {
  // The earliest that any alert of a series stands at; '' lies before all periods.
  const past = new Map<number, string>();
  for (const { series, judgedPeriod } of watched) {
    const own = judgedPeriod ?? '';
    const known = past.get(series);
    if (known === undefined || own < known) past.set(series, own);
  }
  const { rows } = await client.query<Figure>(FIGURES, [[...past.keys()], [...past.values()]]);
  const bySeries = new Map<number, Figure[]>();
  for (const row of rows) {
    const known = bySeries.get(row.series);
    if (known === undefined) bySeries.set(row.series, [row]);
    else known.push(row);
  }
  return bySeries;
}

function columns(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at]));
}
