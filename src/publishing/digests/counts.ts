import type pg from 'pg';

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

/** Windows end with the newest data day and include it. Withheld series have no say in which day that is. */
const recountOf = ({ table, key, links, link }: Counted): string => `
  WITH newest AS (
    SELECT max(v.day)::timestamptz AS day
    FROM series_vintages v JOIN derivable_series s ON s.id = v.series_id
  ), counted AS (
    SELECT t.${key},
           count(c.id) FILTER (WHERE c.occurred_at > n.day - interval '7 days') AS changes_7,
           count(c.id) FILTER (WHERE c.occurred_at > n.day - interval '30 days') AS changes_30,
           count(c.id) AS changes_total, max(c.occurred_at) AS latest_change_at
    FROM ${table} t CROSS JOIN newest n
      LEFT JOIN ${links} l ON l.${link} = t.${key}
      LEFT JOIN changes c ON c.position = l.position AND c.status <> 'withdrawn'
    GROUP BY t.${key}
  )
  UPDATE ${table} t SET changes_7 = c.changes_7, changes_30 = c.changes_30,
    changes_total = c.changes_total, latest_change_at = c.latest_change_at
  FROM counted c WHERE c.${key} = t.${key}
    AND (t.changes_7, t.changes_30, t.changes_total, t.latest_change_at)
        IS DISTINCT FROM (c.changes_7, c.changes_30, c.changes_total, c.latest_change_at)`;

/** Counts of coverage domains and topics as of the newest data day. */
export async function recount(client: pg.PoolClient): Promise<number> {
  let moved = 0;
  for (const counted of COUNTED) moved += (await client.query(recountOf(counted))).rowCount ?? 0;
  return moved;
}
