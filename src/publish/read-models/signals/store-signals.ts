import type pg from 'pg';
import { columnsOf } from '../../../store/columns-of.js';

/** Ids of signals that appear, disappear or change, each with the position of a change that it no longer has, if any. */
const MOVED = 'CREATE TEMP TABLE IF NOT EXISTS moved_signals (id text NOT NULL, unlinked bigint) ON COMMIT DROP';
const moving = (sql: string, columns: string, from = 'moved'): string =>
  `WITH moved AS (${sql} RETURNING ${columns}) INSERT INTO moved_signals SELECT * FROM ${from}`;

/** Links follow their signal after the statement, which still sees them. */
const DELETE_LOST = moving(
  `
  DELETE FROM signals g USING evaluated_scopes a
  WHERE g.rule = a.rule AND g.subject = a.subject
    AND (a.starts_from IS NULL OR g.starts >= a.starts_from) AND (a.starts_to IS NULL OR g.starts <= a.starts_to)
    AND NOT EXISTS (SELECT FROM detected_signals f WHERE f.id = g.id)`,
  'g.id',
  '(SELECT m.id, l.position FROM moved m LEFT JOIN signal_changes l ON l.signal = m.id) lost',
);

const COLUMNS =
  'title, summary, stage, current_days, first_seen_on, last_seen_on, evidence_total, evidence_independent, ' +
  'evidence_publishers, evidence_levels';

/** Levels are those of the sources, counted by figures. `ageSignals` sets the status. */
const UPSERT = moving(
  `
  INSERT INTO signals AS g (id, rule, subject, starts, evidence_class, status, data_version, ${COLUMNS})
  SELECT f.id, f.rule, f.subject, f.starts, 'supported', f.stage, $1, f.title, f.summary, f.stage, f.current_days,
         f.first_seen_on, f.last_seen_on, f.total, f.independent, e.publishers, e.levels
  FROM detected_signals f CROSS JOIN LATERAL (
    SELECT sum(by_level.publishers) AS publishers, jsonb_object_agg(by_level.level, by_level.figures) AS levels
    FROM (SELECT p.level, count(*) AS publishers, sum(n.value::integer) AS figures
          FROM jsonb_each_text(f.figures) n JOIN sources p ON p.id = n.key GROUP BY p.level) by_level) e
  ON CONFLICT (id) DO UPDATE
    SET (${COLUMNS}, status, data_version) = ROW (${columnsOf('excluded', COLUMNS)}, excluded.stage, $1)
    WHERE (${columnsOf('g', COLUMNS)}) IS DISTINCT FROM (${columnsOf('excluded', COLUMNS)})`,
  'g.id',
);

const LINK = [
  moving(
    `DELETE FROM signal_changes l USING detected_signals f
     WHERE l.signal = f.id AND NOT EXISTS (
       SELECT FROM detected_signal_changes n WHERE n.id = l.signal AND n.position = l.position)`,
    'l.signal, l.position',
  ),
  moving(
    `INSERT INTO signal_changes (signal, position) SELECT id, position FROM detected_signal_changes
     ORDER BY id, position ON CONFLICT DO NOTHING`,
    'signal',
  ),
  `DELETE FROM signal_topics t USING detected_signals f WHERE t.signal = f.id`,
  `INSERT INTO signal_topics (topic, signal, rank)
   SELECT DISTINCT t.topic, g.id, g.rank
   FROM detected_signals f JOIN signals g USING (id) JOIN detected_signal_changes n USING (id) JOIN change_topics t USING (position)`,
];

export const createMovedSignals = (client: pg.PoolClient): Promise<unknown> => client.query(MOVED);

/** Replaces the signals of evaluated scopes. Returns how many appeared, disappeared or changed. */
export async function storeDetections(client: pg.PoolClient, dataVersion: number): Promise<number> {
  await client.query('ANALYZE evaluated_scopes; ANALYZE detected_signals; ANALYZE detected_signal_changes');
  const lost = await client.query(DELETE_LOST);
  const kept = await client.query(UPSERT, [dataVersion]);
  let moved = (lost.rowCount ?? 0) + (kept.rowCount ?? 0);
  for (const [index, statement] of LINK.entries()) {
    const { rowCount } = await client.query(statement);
    // Topics follow from the changes.
    if (index < 2) moved += rowCount ?? 0;
  }
  return moved;
}

/** Withheld series do not affect which day is the newest. */
const AGE = `
  WITH newest AS (
    SELECT max(v.day) AS day FROM series_vintages v JOIN derivable_series s ON s.id = v.series_id WHERE v.changed
  ), aged AS (
    SELECT g.id, CASE WHEN g.last_seen_on < n.day - g.current_days THEN 'closed' ELSE g.stage END AS status
    FROM signals g CROSS JOIN newest n WHERE g.stage <> 'closed'
  ), moved AS (
    UPDATE signals g SET status = a.status, data_version = $1 FROM aged a
    WHERE g.id = a.id AND g.status <> a.status
    RETURNING g.id
  )
  INSERT INTO moved_signals SELECT id FROM moved`;

/**
 * Closes signals without news for `current_days` before the newest data day, and opens them again. Returns how
 * many changed.
 */
export async function ageSignals(client: pg.PoolClient, dataVersion: number): Promise<number> {
  return (await client.query(AGE, [dataVersion])).rowCount ?? 0;
}
