// Adds generated legal entities to an imported register, with names as near to the listed ones as a real register has
// them: subsidiaries that contain a listed name, and new names made from the words of listed ones.
import { inTransaction } from './grow.mjs';
import { built } from './workspace.mjs';

/** Each head consolidates about a thousand entities, so two thousand strangers outrank a listed company without a group. */
const HEADS = 2_000;

const NAMES = `
  CREATE TEMP TABLE listed_names ON COMMIT DROP AS
  SELECT row_number() OVER (ORDER BY cik) - 1 AS place, initcap(regexp_replace(name, '[^A-Za-z0-9 &]', '', 'g')) AS name,
    initcap(regexp_replace(name, '(?i)[ ,]+(inc|corp|co|company|corporation|ltd|plc|group|holdings?|trust|llc|lp)[. ]*$', ''))
      AS bare
  FROM (SELECT min(r.cik) AS cik, r.name FROM registrants r GROUP BY r.name) r`;

const WORDS = `
  CREATE TEMP TABLE listed_words ON COMMIT DROP AS
  SELECT row_number() OVER (ORDER BY word) - 1 AS place, word
  FROM (SELECT DISTINCT unnest(string_to_array(name, ' ')) AS word FROM listed_names) w WHERE length(word) > 2`;

const ENTITIES = `
  INSERT INTO entities (id, lei, name, type, country, status, source_id, data_version)
  SELECT 'ent_grown' || n, 'GROW' || lpad(upper(to_hex(n)), 14, '0') || lpad((n % 97)::text, 2, '0'),
    CASE WHEN n % 10 < 3 THEN l.bare || ' ' || (ARRAY['Osaka','Europe','Holdings','Leasing','International','Services',
                'Finance','Deutschland','Pension','Ventures','Properties','(UK)'])[1 + n / 10 % 12] || ' ' || form
         WHEN n % 10 < 8 THEN initcap(a.word) || ' ' || initcap(b.word)
                || CASE WHEN n % 3 = 0 THEN ' ' || substr(md5(n::text), 1, 4) ELSE '' END || ' ' || form
         ELSE initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')) || ' ' || form END,
    'legal_entity', (ARRAY['DE','FR','JP','US','GB','NL','LU','CN'])[1 + n % 8], 'active', 'gleif', $2
  FROM generate_series(1, $1::integer) n
    CROSS JOIN LATERAL (SELECT (ARRAY['AG','plc','Inc','Ltd','S.A.','K.K.','GmbH','LLC'])[1 + n / 7 % 8] AS form) f
    CROSS JOIN (SELECT count(*) AS names FROM listed_names) c CROSS JOIN (SELECT count(*) AS words FROM listed_words) d
    JOIN listed_names l ON l.place = n::bigint * 7919 % c.names
    JOIN listed_words a ON a.place = n::bigint * 104729 % d.words
    JOIN listed_words b ON b.place = n::bigint * 1299709 / 31 % d.words`;

const RELATIONS = `
  INSERT INTO relations (child, parent, kind, valid_from, seen_on, backfilled, source_id, data_version)
  SELECT 'ent_grown' || n, 'ent_grown' || 1 + n % ${String(HEADS)}, kind, date '2026-01-01', date '2026-01-01', false,
    'gleif', $2
  FROM generate_series(${String(HEADS + 1)}, $1::integer) n CROSS JOIN (VALUES ('direct'), ('ultimate')) k (kind)
  WHERE n % 2 = 0`;

/** @param say receives the name of each step */
export async function growRegister({ admin, import: publisher }, entities, say) {
  const { refreshCompanies } = await built('publish/read-models/companies/refresh-companies.js');
  const { refreshSearch } = await built('publish/read-models/search/refresh-search.js');
  const { createAffectedChanges } = await built('publish/publication/affected-changes.js');
  const publication = { dataVersion: 0, beganAt: new Date() };
  await inTransaction(admin, async (client) => {
    const { rows } = await client.query(
      `INSERT INTO publications (data_version, published_at, kind, description)
       SELECT max(data_version) + 1, now(), 'import', 'A large register' FROM publications RETURNING data_version`,
    );
    publication.dataVersion = rows[0].data_version;
    await client.query('SET LOCAL session_replication_role = replica');
    for (const sql of [NAMES, WORDS]) await client.query(sql);
    for (const table of ['listed_names', 'listed_words'])
      await client.query(`ALTER TABLE ${table} ADD PRIMARY KEY (place); ANALYZE ${table}`);
    for (const sql of [ENTITIES, RELATIONS]) {
      say('entities and relations');
      await client.query(sql, [entities, publication.dataVersion]);
    }
  });
  await admin.query('ANALYZE entities, relations');
  await inTransaction(publisher, async (client) => {
    await createAffectedChanges(client);
    say('companies');
    await refreshCompanies(client, publication, 'everything');
    say('search');
    await refreshSearch(client, publication, 'everything');
  });
}
