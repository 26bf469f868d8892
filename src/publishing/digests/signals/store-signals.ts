import type pg from 'pg';

const DELETE_LOST = `
  DELETE FROM signals g USING asked a
  WHERE g.rule = a.rule AND g.subject = a.subject
    AND (a.starts_from IS NULL OR g.starts >= a.starts_from) AND (a.starts_to IS NULL OR g.starts <= a.starts_to)
    AND NOT EXISTS (SELECT FROM found f WHERE f.id = g.id)`;

const COLUMNS =
  'title, summary, judged, current_days, first_seen_on, last_seen_on, evidence_total, evidence_independent, ' +
  'evidence_publishers, evidence_levels';

/** Levels are those of the sources, counted by figures. The status is given by its age, in a moment. */
const UPSERT = `
  INSERT INTO signals AS g (id, rule, subject, starts, evidence_class, status, revision_id, ${COLUMNS})
  SELECT f.id, f.rule, f.subject, f.starts, 'supported', f.judged, $1, f.title, f.summary, f.judged, f.current_days,
         f.first_seen_on, f.last_seen_on, f.total, f.independent, e.publishers, e.levels
  FROM found f CROSS JOIN LATERAL (
    SELECT sum(by_level.publishers) AS publishers, jsonb_object_agg(by_level.level, by_level.figures) AS levels
    FROM (SELECT p.level, count(*) AS publishers, sum(n.value::integer) AS figures
          FROM jsonb_each_text(f.figures) n JOIN sources p ON p.id = n.key GROUP BY p.level) by_level) e
  ON CONFLICT (id) DO UPDATE
    SET (${COLUMNS}, status, revision_id) = ROW (${COLUMNS.replace(/\w+/g, 'excluded.$&')}, excluded.judged, $1)
    WHERE (${COLUMNS.replace(/\w+/g, 'g.$&')}) IS DISTINCT FROM (${COLUMNS.replace(/\w+/g, 'excluded.$&')})`;

const LINK = [
  `DELETE FROM signal_changes l USING found f
   WHERE l.signal = f.id AND NOT EXISTS (
     SELECT FROM found_changes n WHERE n.id = l.signal AND n.position = l.position)`,
  `INSERT INTO signal_changes (signal, position) SELECT id, position FROM found_changes
   ORDER BY id, position ON CONFLICT DO NOTHING`,
  `DELETE FROM signal_topics t USING found f WHERE t.signal = f.id`,
  `INSERT INTO signal_topics (topic, signal, rank)
   SELECT DISTINCT t.topic, g.id, g.rank
   FROM found f JOIN signals g USING (id) JOIN found_changes n USING (id) JOIN change_topics t USING (position)`,
];

/** Replaces what was asked about by what was found. Says how many signals came, went or changed. */
export async function keepFound(client: pg.PoolClient, revision: number): Promise<number> {
  await client.query('ANALYZE asked; ANALYZE found; ANALYZE found_changes');
  const lost = await client.query(DELETE_LOST);
  const kept = await client.query(UPSERT, [revision]);
  let moved = (lost.rowCount ?? 0) + (kept.rowCount ?? 0);
  for (const [index, statement] of LINK.entries()) {
    const { rowCount } = await client.query(statement);
    // Topics follow from the changes.
    if (index < 2) moved += rowCount ?? 0;
  }
  return moved;
}

/** Withheld series have no say in which day is the newest. */
const AGE = `
  WITH newest AS (
    SELECT max(v.day) AS day FROM series_vintages v JOIN derivable_series s ON s.id = v.series_id
  ), aged AS (
    SELECT g.id, CASE WHEN g.last_seen_on < n.day - g.current_days THEN 'closed' ELSE g.judged END AS status
    FROM signals g CROSS JOIN newest n WHERE g.judged <> 'closed'
  )
  UPDATE signals g SET status = a.status, revision_id = $1 FROM aged a
  WHERE g.id = a.id AND g.status <> a.status`;

/** A signal without news for its time is over, as of the newest data day. Says how many were and are. */
export async function ageSignals(client: pg.PoolClient, revision: number): Promise<number> {
  return (await client.query(AGE, [revision])).rowCount ?? 0;
}
