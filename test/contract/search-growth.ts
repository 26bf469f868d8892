import type { DataSource } from 'typeorm';
import { poolOf } from '../../src/store/snapshots.js';
import { AFFECTED_COLUMNS, createAffectedChanges } from '../../src/publish/publication/affected-changes.js';
import { indexChanges } from '../../src/publish/read-models/search/index-changes.js';
import { refreshSearch } from '../../src/publish/read-models/search/refresh-search.js';

const ENTITIES = `
  INSERT INTO entities (id, cik, name, type, country, status, source_id)
  SELECT 'ent_found' || n, 500000000 + n,
    (ARRAY['Northern','Pacific','Imperial','Golden','United'])[1 + n % 5] || ' '
      || (ARRAY['Steel','Energy','Foods','Shipping','Bank','Motors','Optics'])[1 + n / 5 % 7] || ' '
      || initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')),
    'general', 'JP', 'active', 'worldbank-wdi'
  FROM generate_series(1, $1) n`;

/** Adds entities, and indexes all subjects by the read models themselves. */
export async function growSearch(publisher: DataSource, owner: DataSource, entities: number): Promise<void> {
  const client = await poolOf(publisher).connect();
  try {
    await client.query('BEGIN');
    await client.query(ENTITIES, [entities]);
    await createAffectedChanges(client);
    await client.query(`INSERT INTO affected_changes SELECT ${AFFECTED_COLUMNS}, 'made' FROM changes c`);
    const { rows } = await client.query<{ dataVersion: number; beganAt: Date }>(
      'SELECT data_version AS "dataVersion", began_at AS "beganAt" FROM publications ORDER BY data_version DESC LIMIT 1',
    );
    const [newest] = rows;
    if (newest === undefined) throw new Error('nothing is published');
    await indexChanges(client);
    await refreshSearch(client, newest, 'everything');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await owner.query(
    'VACUUM ANALYZE entities, search_documents, search_texts, search_names, search_words, change_words',
  );
}
