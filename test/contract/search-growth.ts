import type { DataSource } from 'typeorm';
import { poolOf } from '../../src/database/snapshots.js';
import { createTouched, TOUCHED_COLUMNS } from '../../src/publishing/digests/digests.js';
import { indexChanges } from '../../src/publishing/digests/search/index-changes.js';
import { renewSearch } from '../../src/publishing/digests/search/renew-search.js';

const ENTITIES = `
  INSERT INTO entities (id, cik, name, type, country, status, source_id)
  SELECT 'ent_found' || n, 500000000 + n,
    (ARRAY['Northern','Pacific','Imperial','Golden','United'])[1 + n % 5] || ' '
      || (ARRAY['Steel','Energy','Foods','Shipping','Bank','Motors','Optics'])[1 + n / 5 % 7] || ' '
      || initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')),
    'general', 'JP', 'active', 'worldbank-wdi'
  FROM generate_series(1, $1) n`;

/** Entities, and all that search holds of what is there, by the digests themselves. */
export async function growSearch(publisher: DataSource, owner: DataSource, entities: number): Promise<void> {
  const client = await poolOf(publisher).connect();
  try {
    await client.query('BEGIN');
    await client.query(ENTITIES, [entities]);
    await createTouched(client);
    await client.query(`INSERT INTO touched SELECT ${TOUCHED_COLUMNS}, 'made' FROM changes c`);
    const { rows } = await client.query<{ id: number; publishedAt: Date }>(
      'SELECT id, published_at AS "publishedAt" FROM revisions ORDER BY id DESC LIMIT 1',
    );
    const [newest] = rows;
    if (newest === undefined) throw new Error('nothing is published');
    await indexChanges(client);
    await renewSearch(client, newest);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await owner.query(
    'VACUUM ANALYZE entities, search_documents, search_texts, search_names, search_words, change_words',
  );
}
