// Fills a migrated database with a realistic large set: SQL generates the rows, and the service's own code refreshes
// the read models.
import { built } from './workspace.mjs';

const NEWEST_DAY = '2026-07-01';
/** The days between two vintages, so that 10⁶ changes fall on as many days as in a busy decade. */
const DAYS = 3_650;
/** Each day is one publication. */
const NEWEST_VERSION = DAYS + 1;

/**
 * @param pools by role: the owner fills tables by SQL, as no import could; the import role refreshes the read models as
 * in any import
 * @param sizes numbers of changes, observations and entities, all round; whether other databases share the server
 * @param say receives the name of each step
 */
export async function grow(pools, sizes, say) {
  // With the embedded server's small settings, checkpoints would take half of the write time.
  if (!sizes.shared) await settle(pools.admin, "SET max_wal_size = '8GB'");
  await inTransaction(pools.admin, async (client) => {
    await prepare(client);
    for (const [what, sql, parameters = []] of steps(sizes)) {
      say(what);
      await client.query(sql, parameters);
    }
  });
  await inTransaction(pools.import, async (client) => {
    await client.query('SELECT analyze_content()');
    say('read models');
    const { refreshReadModels } = await built('publish/read-models/read-models.js');
    const { AFFECTED_COLUMNS, createAffectedChanges } = await built('publish/publication/affected-changes.js');
    await createAffectedChanges(client);
    await client.query(`INSERT INTO affected_changes SELECT ${AFFECTED_COLUMNS}, 'made' FROM changes c`);
    await client.query('ANALYZE affected_changes');
    const publication = { dataVersion: NEWEST_VERSION, publishedAt: new Date(`${NEWEST_DAY}T06:00:00Z`) };
    await refreshReadModels(client, publication, 'everything');
    await client.query(
      `INSERT INTO resource_families (family, data_version) SELECT unnest($1::text[]), ${NEWEST_VERSION} ON CONFLICT DO NOTHING`,
      [(await built('domain/sources/families.js')).FAMILIES],
    );
  });
  say('vacuum');
  await pools.admin.query('VACUUM ANALYZE');
  if (!sizes.shared) await settle(pools.admin, 'RESET max_wal_size');
  await pools.admin.query('CHECKPOINT');
}

async function settle(pool, setting) {
  await pool.query(`ALTER SYSTEM ${setting}`);
  await pool.query('SELECT pg_reload_conf()');
}

export async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL work_mem = '256MB'; SET LOCAL synchronous_commit = off");
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function prepare(client) {
  const { readCatalogue } = await built('publish/catalogue/catalogue.js');
  const { syncCatalogue } = await built('publish/catalogue/sync-catalogue.js');
  const { newlyWithheld } = await syncCatalogue(client, readCatalogue());
  await client.query('UPDATE sources SET withheld = true WHERE id = ANY ($1)', [newlyWithheld]);
  await client.query(
    `INSERT INTO publications (data_version, began_at, published_at, kind, description, vintage_day)
     SELECT 1 + ordinal, day + time '06:00', day + time '06:00', 'import', 'A large set', day
     FROM generate_series(0, $2::integer) ordinal
       CROSS JOIN LATERAL (SELECT $1::date - ($2::integer - ordinal) AS day) d`,
    [NEWEST_DAY, DAYS],
  );
}

/**
 * Instruments are the first row, and the economies of each indicator another, so that a day's changes belong to one
 * indicator in many economies, like a release, and to a few markets.
 */
const PLACES = `
  CREATE TEMP TABLE places ON COMMIT DROP AS
  SELECT dense_rank() OVER (ORDER BY indicator NULLS FIRST) - 1 AS grid, array_agg(id ORDER BY id) AS series
  FROM series GROUP BY indicator`;

/** Foreign keys would check each row against parents from which these statements read it. */
const UNCHECKED = 'SET LOCAL session_replication_role = replica';

const steps = ({ changes, observations, entities }) => [
  [
    'series',
    `INSERT INTO series (indicator, region, instrument, source_id, origins, withheld, baseline_day)
     SELECT i.slug, r.code, NULL, i.source_id, '{}'::text[], false, date '2000-01-01'
     FROM indicators i CROSS JOIN regions r
     UNION ALL
     SELECT NULL, NULL, key, source_id, '{}'::text[], false, date '2000-01-01' FROM instruments`,
  ],
  ['places of series', PLACES],
  ['no checks', UNCHECKED],
  [
    'vintages',
    `INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, data_version)
     SELECT s.id, date '2000-01-01' + v * 200, '1960', '2026', 'retrieved', 1
     FROM series s CROSS JOIN generate_series(0, 40) v`,
  ],
  [
    'observations of instruments, one a day',
    `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
     SELECT s.id, (date '${NEWEST_DAY}' - n)::text, date '${NEWEST_DAY}' - n,
            round((50 + 20 * sin(n / 300.0 + s.id) + 3 * sin(n / 7.0))::numeric, 2), s.source_id, false, 1
     FROM series s CROSS JOIN generate_series(0, 3650) n
     WHERE s.instrument IS NOT NULL AND extract(isodow FROM date '${NEWEST_DAY}' - n) < 6`,
  ],
  [
    'observations of indicators, each restated now and then',
    `WITH shape AS (
       SELECT greatest(1, $1::bigint / (count(*) * 66)) AS restated FROM series WHERE indicator IS NOT NULL)
     INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, data_version)
     SELECT s.id, y::text, date '2000-01-01' + (v * 200)::integer,
            CASE WHEN v + 1 < shape.restated THEN date '2000-01-01' + ((v + 1) * 200)::integer END,
            round((10 + 5 * sin(y / 4.0 + s.id) + v * 0.01)::numeric, 3), s.source_id, false, 1
     FROM shape CROSS JOIN series s CROSS JOIN generate_series(1960, 2025) y
       CROSS JOIN generate_series(0, shape.restated - 1) v
     WHERE s.indicator IS NOT NULL
     -- As imports store them: the series of a vintage one after another.
     ORDER BY v, s.id, y`,
    [observations],
  ],
  [
    'spans of series',
    `UPDATE series s SET (oldest_period, newest_period) = (
       SELECT min(o.period), max(o.period) FROM observations o WHERE o.series_id = s.id AND o.valid_to IS NULL)`,
  ],
  [
    'entities',
    `INSERT INTO entities (id, lei, name, type, country, status, source_id, data_version)
     SELECT 'ent_' || n, '5299' || lpad(n::text, 14, '0') || lpad((n % 97)::text, 2, '0'),
            (ARRAY['Northern','Pacific','Imperial','Golden','United','Harbour','Granite','Meridian','Silver','Atlas'])[1 + n % 10]
              || ' ' || (ARRAY['Steel','Energy','Foods','Shipping','Bank','Motors','Chemical','Textile','Optics','Rail'])[1 + n / 10 % 10]
              || ' ' || initcap(substr(md5(n::text), 1, 6))
              || ' ' || (ARRAY['AG','plc','Inc','Ltd','S.A.','K.K.','GmbH'])[1 + n % 7],
            'legal_entity', c.code, 'active', (SELECT id FROM sources WHERE id = 'gleif'), ${NEWEST_VERSION}
     FROM generate_series(1, $1::integer) n
     JOIN (SELECT row_number() OVER (ORDER BY weight DESC, code) - 1 AS place, code, count(*) OVER () AS total
           FROM regions WHERE kind = 'country') c ON c.place = n % c.total`,
    [entities],
  ],
  [
    'group relations, the second entity with two hundred children',
    `INSERT INTO relations (child, parent, kind, valid_from, seen_on, backfilled, source_id, data_version)
     SELECT 'ent_' || n, 'ent_' || CASE WHEN n <= 202 THEN 2 ELSE n / 10 END, kind, date '2026-01-01',
            date '2026-01-01', false, 'gleif', 1
     FROM generate_series(3, $1::integer) n CROSS JOIN (VALUES ('direct'), ('ultimate')) k (kind)`,
    [entities],
  ],
  [
    'calendar events',
    `INSERT INTO calendar_events (id, indicator, region, period, previous_period, scheduled_on, time_zone,
       scheduled_at, status, importance, source_id, withheld, vintage_day, data_version)
     SELECT 'evt_' || s.id || '_' || y, s.indicator, s.region, y::text, (y - 1)::text,
            make_date(y + 1, 1 + s.id % 12, 1 + s.id % 28), 'Etc/UTC', NULL, 'scheduled', 'medium', s.source_id,
            false, make_date(y, 6, 1), 1
     FROM series s JOIN indicators i ON i.slug = s.indicator AND i.frequency = 'A'
       CROSS JOIN generate_series(2016, 2025) y`,
  ],
  [
    'changes',
    `INSERT INTO changes (id, position, kind, status, evidence_class, headline, summary, importance, occurred_at,
       occurred_precision, occurred_basis, published_at, updated_at, data_version, source_id, series_id, period,
       vintage_day, known_since, actual_value, previous_value, previous_period, previous_basis, delta)
     SELECT 'chg_' || md5(n::text), n,
       CASE WHEN p.grid = 0 THEN 'move' WHEN n % 9 = 0 THEN 'release' ELSE 'revision' END,
       'verified', 'fact', text, text, (n * 37) % 100, day::timestamptz, 'day', 'retrieved', day + time '06:00',
       day + time '06:00', 1 + o.ordinal, s.source_id, s.id, CASE WHEN p.grid = 0 THEN day::text ELSE (1960 + n % 66)::text END, day, day,
       n % 1000, n % 1000 - 1, (1960 + n % 66)::text, 'vintage', 1
     FROM generate_series(1, $1::integer) n
     CROSS JOIN LATERAL (SELECT (n * ${DAYS}::bigint / $1::integer)::integer AS ordinal) o
     CROSS JOIN LATERAL (SELECT date '${NEWEST_DAY}' - (${DAYS} - ordinal) AS day) d
     CROSS JOIN LATERAL (SELECT CASE WHEN n % 8 = 0 THEN 0 ELSE 1 + ordinal % (SELECT max(grid) FROM places) END AS grid) g
     JOIN places p ON p.grid = g.grid
     JOIN series s ON s.id = p.series[1 + (CASE WHEN p.grid = 0 THEN n / 8 ELSE n END) % cardinality(p.series)]
     LEFT JOIN indicators i ON i.slug = s.indicator
     LEFT JOIN regions r ON r.code = s.region
     LEFT JOIN instruments m ON m.key = s.instrument
     CROSS JOIN LATERAL (SELECT jsonb_build_object(
       'en', concat_ws(': ', r.name ->> 'en', coalesce(i.short_name, m.name) ->> 'en') || ' for ' || 1960 + n % 66 || ' revised up',
       'zh', concat_ws('：', r.name ->> 'zh', coalesce(i.short_name, m.name) ->> 'zh') || (1960 + n % 66) || '年数据上修',
       'ja', concat_ws('：', r.name ->> 'ja', coalesce(i.short_name, m.name) ->> 'ja') || (1960 + n % 66) || '年は上方改定') AS text) t`,
    [changes],
  ],
  [
    'runs of changes',
    // Disabled checks also disable triggers.
    `INSERT INTO change_runs
     SELECT data_version, min(position), max(position), min(occurred_at), max(occurred_at), min(published_at)
     FROM changes GROUP BY data_version`,
  ],
  [
    'regions of changes',
    `INSERT INTO change_regions
     SELECT coalesce(s.region, l.region), c.position FROM changes c JOIN series s ON s.id = c.series_id
       LEFT JOIN instrument_regions l ON l.instrument = s.instrument
     WHERE coalesce(s.region, l.region) IS NOT NULL`,
  ],
  [
    'domains of changes',
    `INSERT INTO change_coverage
     SELECT coalesce(l.coverage, m.coverage), c.position FROM changes c JOIN series s ON s.id = c.series_id
       LEFT JOIN indicator_coverage l ON l.indicator = s.indicator
       LEFT JOIN instrument_coverage m ON m.instrument = s.instrument`,
  ],
  [
    'topics of changes',
    `INSERT INTO change_topics
     SELECT coalesce(l.topic, m.topic), c.position FROM changes c JOIN series s ON s.id = c.series_id
       LEFT JOIN indicator_topics l ON l.indicator = s.indicator
       LEFT JOIN instrument_topics m ON m.instrument = s.instrument`,
  ],
];
