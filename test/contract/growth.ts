import type { DataSource } from 'typeorm';
import { growMarkets } from './market-growth.js';
import { growSearch } from './search-growth.js';

// Rows of plausible shape in plausible numbers, because the planner decides by them. The server generates them in
// seconds.

const SERIES = `
  INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
  SELECT i.slug, r.code, i.source_id, '{}', false, '2025-12-17' FROM indicators i CROSS JOIN regions r
  WHERE i.ordinal <= 12 AND r.code <> 'AQ'
  ON CONFLICT DO NOTHING`;

const VINTAGES = `
  INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, data_version)
  SELECT s.id, '2025-12-17', '1960', '2024', 'retrieved', 1 FROM series s ON CONFLICT DO NOTHING`;

const OBSERVATIONS = `
  INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
  SELECT s.id, y::text, '2025-12-17', s.id + y, s.source_id, false, 1
  FROM series s CROSS JOIN generate_series(1960, 2024) y ON CONFLICT DO NOTHING`;

const CHANGES = `
  INSERT INTO changes (id, position, kind, status, evidence_class, headline, summary, importance, occurred_at,
    occurred_precision, occurred_basis, published_at, updated_at, data_version, source_id, series_id, period, vintage_day,
    known_since, actual_value, previous_value, previous_period, previous_basis, delta)
  SELECT 'chg_' || md5(n::text), (SELECT max(position) FROM changes) + n,
    CASE WHEN n % 900 = 0 THEN 'move' WHEN n % 9 = 0 THEN 'release' ELSE 'revision' END, 'verified', 'fact', t.name, t.name, n % 100,
    timestamptz '2026-07-01' - ($1 - n) * interval '1 hour', 'day', 'retrieved', now(), now(),
    (SELECT max(data_version) FROM publications), s.source_id, s.id,
    (1960 + n % 65)::text, '2026-07-01', '2026-07-01', n, n - 1, (1960 + n % 65)::text, 'vintage', 1
  FROM generate_series(1, $1) n
  CROSS JOIN (SELECT name FROM regions LIMIT 1) t
  JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS ordinal, count(*) OVER () AS total, id, source_id FROM series) s
    ON s.ordinal = n % s.total`;

const NEWEST_VERSION = `
  INSERT INTO publications (data_version, published_at, kind, description)
  SELECT max(data_version) + 1, now(), 'import', 'growth' FROM publications`;

const MEMBERS = [
  `INSERT INTO change_regions SELECT s.region, c.position FROM changes c JOIN series s ON s.id = c.series_id`,
  `INSERT INTO change_coverage SELECT x.coverage, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_coverage x ON x.indicator = s.indicator`,
  `INSERT INTO change_topics SELECT x.topic, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_topics x ON x.indicator = s.indicator`,
].map((sql) => `${sql} ON CONFLICT DO NOTHING`);

const DOCUMENTS = `
  INSERT INTO change_documents (position, en, zh, ja, sources, subject, periods)
  SELECT position, t.text, t.text, t.text, ARRAY[source_id], NULL, ARRAY[period]
  FROM changes CROSS JOIN (SELECT string_agg(md5(n::text), '') AS text FROM generate_series(1, 20) n) t
  ON CONFLICT DO NOTHING`;

const ACCOUNTS = `
  INSERT INTO accounts (id, email, plan, signed_up_at)
  SELECT 'acc_' || n, n || '@test.example', 'pro', now() FROM generate_series(1, $1) n`;

const KEYS = `
  INSERT INTO api_keys (id, account_id, name, hash, pepper_id, prefix)
  SELECT 'key_' || n, 'acc_' || n, 'key', sha256(n::text::bytea), 'test', 'tm_abcde' FROM generate_series(1, $1) n`;

const FOLLOWS = [
  `INSERT INTO follows (id, account_id, target_type, target_key, since)
   SELECT 'fol_' || md5(a.id || t.key), a.id, t.type, t.key, now() FROM accounts a
   CROSS JOIN (VALUES ('topic', 'inflation'), ('country', 'JP'), ('coverage', 'prices'), ('indicator', 'gdp-growth'),
     ('series', 'gdp@US')) AS t (type, key) ON CONFLICT DO NOTHING`,
  `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, created_at)
   SELECT 'alr_' || f.id, f.account_id, 'alert', f.target_type, f.target_key, 'any_change', now() FROM follows f`,
  `INSERT INTO alert_events (alert_id, change_id, at)
   SELECT a.id, c.id, now() FROM alerts a CROSS JOIN (SELECT id FROM changes ORDER BY position DESC LIMIT 2) c
   WHERE a.metric = 'any_change' AND a.target_type = 'country'`,
];

/** One brief a day, with up to twenty changes. */
const BRIEFS = [
  `INSERT INTO briefs (day, title, summary, data_version)
   SELECT DISTINCT c.occurred_at::date, t.name, t.name, 1
   FROM changes c CROSS JOIN (SELECT name FROM regions LIMIT 1) t ON CONFLICT DO NOTHING`,
  `INSERT INTO brief_sections (day, coverage, omitted)
   SELECT b.day, d.key, 0 FROM briefs b CROSS JOIN coverage_domains d ON CONFLICT DO NOTHING`,
  `INSERT INTO brief_items (day, rank, coverage, headline, change_id, changes)
   SELECT day, rank, 'growth', headline, id, 1 FROM (
     SELECT c.occurred_at::date AS day, c.id, c.headline,
            row_number() OVER (PARTITION BY c.occurred_at::date ORDER BY c.id) + 100 AS rank
     FROM changes c) r
   WHERE rank <= 120 ON CONFLICT DO NOTHING`,
  `INSERT INTO brief_item_changes (day, rank, ordinal, change_id)
   SELECT day, rank, 1, change_id FROM brief_items ON CONFLICT DO NOTHING`,
];

/** A signal for every tenth change, and the changes of an economy by day. */
const SIGNALS = [
  `INSERT INTO signals (id, rule, subject, starts, title, summary, evidence_class, evidence_total, evidence_independent,
     evidence_publishers, evidence_levels, first_seen_on, last_seen_on, stage, current_days, status, data_version)
   SELECT 'sig_' || md5(c.id), 'streak', c.id, c.period, c.headline, c.summary, 'supported', 5, 5, 1, '{}',
     c.occurred_at::date, c.occurred_at::date, 'closed', 90, 'closed', 1
   FROM changes c WHERE c.position % 10 = 0`,
  `INSERT INTO signal_changes SELECT g.id, c.position + n FROM signals g JOIN changes c ON c.id = g.subject
     CROSS JOIN generate_series(-4, 0) n WHERE c.position + n > 0`,
  `INSERT INTO signal_topics SELECT DISTINCT x.topic, g.id, g.rank
   FROM signals g JOIN signal_changes l ON l.signal = g.id JOIN change_topics x USING (position) ON CONFLICT DO NOTHING`,
  `INSERT INTO heat_days (region, coverage, day, importance, changes, retrieved, top, data_version)
   SELECT l.region, k.coverage, c.occurred_at::date, sum(c.importance), count(*), false, (array_agg(c.position))[1:3], 1
   FROM changes c JOIN change_regions l USING (position)
     CROSS JOIN LATERAL (
       SELECT '' AS coverage UNION ALL SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) k
   GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`,
];

/** Three events per series, spread over a generation. */
const CALENDAR = `
  INSERT INTO calendar_events (id, indicator, region, period, previous_period, scheduled_on, time_zone, status,
    importance, source_id, withheld, vintage_day, data_version)
  SELECT 'evt_' || md5(s.id || ' ' || y), s.indicator, s.region, y::text, (y - 1)::text,
    date '2000-01-01' + (s.id * 7 + y * 311) % 10000, 'UTC', 'scheduled',
    (ARRAY['low', 'medium', 'high'])[1 + s.id % 3], s.source_id, false, '2000-01-01', 1
  FROM series s CROSS JOIN generate_series(2022, 2024) y WHERE s.indicator IS NOT NULL`;

/** Grows the small figures to this many changes and a third as many keys, and updates the planner's statistics. */
export async function grow(publisher: DataSource, owner: DataSource, changes: number) {
  for (const sql of [SERIES, VINTAGES, OBSERVATIONS]) await publisher.query(sql);
  await publisher.query(NEWEST_VERSION);
  await publisher.query(CHANGES, [changes]);
  for (const sql of [...MEMBERS, DOCUMENTS, ...BRIEFS, ...SIGNALS, CALENDAR]) await publisher.query(sql);
  await growMarkets(publisher);
  const accounts = Math.round(changes / 3);
  await owner.query(ACCOUNTS, [accounts]);
  await owner.query(KEYS, [accounts]);
  for (const sql of FOLLOWS) await owner.query(sql);
  await growSearch(publisher, owner, Math.round(changes / 5));
  await publisher.query('SELECT analyze_content()');
  // The server does the same automatically soon after an import.
  await owner.query(
    'VACUUM ANALYZE calendar_events, changes, change_documents, change_runs, change_regions, change_topics, change_coverage, observations, accounts, api_keys, follows, alerts, alert_events, briefs, brief_sections, brief_items, brief_item_changes, signals, signal_changes, signal_topics, heat_days',
  );
}
