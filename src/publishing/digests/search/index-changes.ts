// The words by which a change is found: `GET /changes?q=`.
import type pg from 'pg';
import { inStretch, mark, stretchOf } from '../../../folding/stretches.js';
import { words } from '../../../folding/words.js';

const BATCH = 2_000;

const MADE = `
  DECLARE made_changes NO SCROLL CURSOR FOR
  SELECT c.position, c.kind, s.indicator, s.instrument,
    ARRAY[c.headline ->> 'en', c.headline ->> 'zh', c.headline ->> 'ja'] AS headlines,
    ARRAY(SELECT e.name FROM change_entities l JOIN entities e ON e.id = l.entity
          WHERE l.position = c.position AND e.name IS NOT NULL) AS entities,
    ARRAY(SELECT l.region FROM change_regions l WHERE l.position = c.position) AS regions,
    ARRAY(SELECT l.coverage FROM change_coverage l WHERE l.position = c.position) AS coverage,
    ARRAY(SELECT l.topic FROM change_topics l WHERE l.position = c.position) AS topics
  FROM changes c LEFT JOIN series s ON s.id = c.series_id
  WHERE c.position IN (SELECT t.position FROM touched t WHERE t.how IN ('made', 'corrected'))
  ORDER BY c.position`;

const WRITE = `
  INSERT INTO change_words (position, words)
  SELECT position, array_to_tsvector(words)
  FROM jsonb_to_recordset($1::jsonb) AS g (position bigint, words text[])
  ON CONFLICT (position) DO UPDATE SET words = excluded.words WHERE change_words.words <> excluded.words`;

interface ChangeTexts {
  readonly position: number;
  readonly kind: string;
  readonly indicator: string | null;
  readonly instrument: string | null;
  readonly headlines: readonly string[];
  readonly entities: readonly string[];
  readonly regions: readonly string[];
  readonly coverage: readonly string[];
  readonly topics: readonly string[];
}

/**
 * Indexes what the publication has made or corrected. What it deletes takes its words along. Names of indicators,
 * instruments and economies are not written out: a question finds their keys first.
 */
export async function indexChanges(client: pg.PoolClient): Promise<number> {
  await client.query(MADE);
  let made = 0;
  for (;;) {
    const { rows } = await client.query<ChangeTexts>(`FETCH ${String(BATCH)} FROM made_changes`);
    if (rows.length === 0) break;
    const indexed = rows.map((row) => ({ position: row.position, words: lexemesOf(row) }));
    await client.query(WRITE, [JSON.stringify(indexed)]);
    made += rows.length;
  }
  await client.query('CLOSE made_changes');
  if (made > 0) await client.query('SELECT flush_search_lists()');
  // What is found follows from what is shown, which is counted elsewhere.
  return 0;
}

function lexemesOf(row: ChangeTexts): string[] {
  const found = new Set([
    mark('kind', row.kind),
    ...(row.indicator === null ? [] : [mark('indicator', row.indicator)]),
    ...(row.instrument === null ? [] : [mark('instrument', row.instrument)]),
    ...row.regions.map((region) => mark('country', region)),
    ...row.coverage.map((domain) => mark('coverage', domain)),
    ...row.topics.map((topic) => mark('topic', topic)),
    ...[...row.headlines, ...row.entities].flatMap(words),
  ]);
  return [...found].map((word) => inStretch(stretchOf(row.position), word));
}
