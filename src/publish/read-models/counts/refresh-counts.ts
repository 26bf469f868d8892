import type pg from 'pg';
import type { Publication } from '../../publication/record-publication.js';

interface Counted {
  readonly table: string;
  readonly key: string;
  readonly links: string;
  readonly link: string;
}

const COUNTED: readonly Counted[] = [
  { table: 'coverage_domains', key: 'key', links: 'change_coverage', link: 'coverage' },
  { table: 'topics', key: 'slug', links: 'change_topics', link: 'topic' },
];

/** The newest day that brought something new; it ignores withheld series and registers. */
const NEWEST_DAY = `
  newest AS (
    SELECT greatest(
      (SELECT max(v.day) FROM series_vintages v JOIN derivable_series s ON s.id = v.series_id WHERE v.changed),
      (SELECT max(v.day) FROM register_vintages v JOIN sources s ON s.id = v.source_id AND NOT s.withheld WHERE v.changed))::timestamptz AS day
  )`;

/** Windows end with the newest data day and include it. */
const recentOf = ({ links, link }: Counted): string => `
  recent AS (
    SELECT l.${link} AS key, count(*) FILTER (WHERE c.occurred_at > n.day - interval '7 days') AS days_7, count(*) AS days_30
    FROM newest n JOIN changes c ON c.occurred_at > n.day - interval '30 days'
      JOIN ${links} l ON l.position = c.position
    WHERE c.status <> 'withdrawn' GROUP BY l.${link}
  )`;

/** Counts all published changes, after one has been removed or has returned. */
const allOf = ({ links, link }: Counted): string => `
  SELECT l.${link} AS key, count(*) AS total, max(c.occurred_at) AS latest
  FROM ${links} l JOIN changes c ON c.position = l.position
  WHERE c.status <> 'withdrawn' GROUP BY l.${link}`;

/** Adds this publication's changes to the previous counts. */
const addedOf = ({ table, key, links, link }: Counted): string => `
  SELECT t.${key} AS key, t.changes_total + count(c.id) AS total,
         greatest(t.latest_change_at, max(c.occurred_at)) AS latest
  FROM ${table} t LEFT JOIN (${links} l JOIN affected_changes c ON c.position = l.position) ON l.${link} = t.${key}
  GROUP BY t.${key}`;

const recountOf = (counted: Counted, totals: string): string => `
  WITH ${NEWEST_DAY}, ${recentOf(counted)}, standing AS (${totals})
  UPDATE ${counted.table} t SET changes_7 = c.days_7, changes_30 = c.days_30, changes_total = c.total,
    latest_change_at = c.latest, data_version = $1
  FROM (
    SELECT t.${counted.key} AS key, coalesce(r.days_7, 0) AS days_7, coalesce(r.days_30, 0) AS days_30,
           coalesce(s.total, 0) AS total, s.latest
    FROM ${counted.table} t LEFT JOIN recent r ON r.key = t.${counted.key} LEFT JOIN standing s ON s.key = t.${counted.key}
  ) c
  WHERE c.key = t.${counted.key}
    AND (t.data_version IS NULL OR (t.changes_7, t.changes_30, t.changes_total, t.latest_change_at)
        IS DISTINCT FROM (c.days_7, c.days_30, c.total, c.latest))`;

/** Counts of coverage domains and topics as of the newest data day. */
export async function refreshCounts(client: pg.PoolClient, { dataVersion }: Publication): Promise<number> {
  const { rows } = await client.query<{ grown: boolean }>(
    `SELECT coalesce(bool_and(how = 'made'), true) AS grown FROM affected_changes`,
  );
  const totalsOf = rows[0]?.grown === true ? addedOf : allOf;
  let moved = 0;
  for (const counted of COUNTED) {
    moved += (await client.query(recountOf(counted, totalsOf(counted)), [dataVersion])).rowCount ?? 0;
  }
  return moved;
}
