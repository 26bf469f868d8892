import type { DataSource } from 'typeorm';

// Rows of plausible shape in plausible numbers: what a planner decides by, made in seconds by the server.

const SERIES = `
  INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
  SELECT i.slug, r.code, i.source_id, '{}', false, '2025-12-17' FROM indicators i CROSS JOIN regions r
  WHERE i.ordinal <= 12 AND r.code <> 'AQ'
  ON CONFLICT DO NOTHING`;

const VINTAGES = `
  INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, revision_id)
  SELECT s.id, '2025-12-17', '1960', '2024', 'retrieved', 1 FROM series s ON CONFLICT DO NOTHING`;

const OBSERVATIONS = `
  INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, revision_id)
  SELECT s.id, y::text, '2025-12-17', s.id + y, s.source_id, false, 1
  FROM series s CROSS JOIN generate_series(1960, 2024) y ON CONFLICT DO NOTHING`;

const CHANGES = `
  INSERT INTO changes (id, position, kind, status, evidence_class, headline, summary, importance, occurred_at,
    occurred_precision, occurred_basis, published_at, updated_at, revision_id, source_id, series_id, period, vintage_day,
    actual_value, previous_value, previous_period, previous_basis, delta)
  SELECT 'chg_' || md5(n::text), (SELECT max(position) FROM changes) + n,
    CASE WHEN n % 900 = 0 THEN 'move' WHEN n % 9 = 0 THEN 'release' ELSE 'revision' END, 'verified', 'fact', t.name, t.name, n % 100,
    timestamptz '2026-07-01' - n * interval '1 hour', 'day', 'retrieved', now(), now(), 1, s.source_id, s.id,
    (1960 + n % 65)::text, '2026-07-01', n, n - 1, (1960 + n % 65)::text, 'vintage', 1
  FROM generate_series(1, $1) n
  CROSS JOIN (SELECT name FROM regions LIMIT 1) t
  JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS ordinal, count(*) OVER () AS total, id, source_id FROM series) s
    ON s.ordinal = n % s.total`;

const MEMBERS = [
  `INSERT INTO change_regions SELECT s.region, c.position FROM changes c JOIN series s ON s.id = c.series_id`,
  `INSERT INTO change_coverage SELECT x.coverage, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_coverage x ON x.indicator = s.indicator`,
  `INSERT INTO change_topics SELECT x.topic, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_topics x ON x.indicator = s.indicator`,
].map((sql) => `${sql} ON CONFLICT DO NOTHING`);

const ACCOUNTS = `
  INSERT INTO accounts (id, email, plan, signed_up_at)
  SELECT 'acc_' || n, n || '@test.example', 'pro', now() FROM generate_series(1, $1) n`;

const KEYS = `
  INSERT INTO api_keys (id, account_id, name, hash, pepper_id, prefix)
  SELECT 'key_' || n, 'acc_' || n, 'key', sha256(n::text::bytea), 'test', 'tm_abcde' FROM generate_series(1, $1) n`;

/** Grows the small figures to so many changes and to a third as many keys, and tells the planner. */
export async function grow(publisher: DataSource, reader: DataSource, owner: DataSource, changes: number) {
  for (const sql of [SERIES, VINTAGES, OBSERVATIONS]) await publisher.query(sql);
  await publisher.query(CHANGES, [changes]);
  for (const sql of MEMBERS) await publisher.query(sql);
  const accounts = Math.round(changes / 3);
  await reader.query(ACCOUNTS, [accounts]);
  await reader.query(KEYS, [accounts]);
  await publisher.query('SELECT analyze_content()');
  // What the server does by itself soon after an import.
  await owner.query(
    'VACUUM ANALYZE changes, change_regions, change_topics, change_coverage, observations, accounts, api_keys',
  );
}
