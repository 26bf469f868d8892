// Keeps what search finds in line with what may be shown.
import type pg from 'pg';
import { SHELVES, STRETCH } from '../../../folding/stretches.js';
import { readAliases } from '../../catalogue/aliases.js';
import type { RecordedRevision } from '../../revisions/record-revision.js';
import { foldTexts, type SubjectTexts } from './fold-texts.js';
import { SEARCH_SUBJECTS } from './search-subjects.js';

/** To be raised when folding changes, so that what is stored is folded anew. */
const FOLDING = 1;
/** What is found before others where too much would be: what is few, then what is traded, then other companies. */
const TIER = `CASE WHEN type IN ('country', 'indicator', 'instrument') THEN 0
  WHEN type = 'company' AND rank >= 50 THEN 1 WHEN type IN ('company', 'signal') THEN 2 ELSE 3 END`;
/** Older states of documents stay so long for walks over a search that began with them. */
const PINNED_FOR = '10 minutes';
const BATCH = 1_000;

const WANTED = `
  CREATE TEMP TABLE wanted_documents (
    type text COLLATE "C", key text COLLATE "C", rank smallint, title jsonb, snippet jsonb, names text[], more text[],
    facts jsonb, sources text[], fingerprint text) ON COMMIT DROP`;

const want = (type: string, sql: string): string => `
  WITH aliases AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS a (type text, key text, names text[])
  ), subjects AS (${sql})
  INSERT INTO wanted_documents
  SELECT '${type}', key, least(100, rank), title, snippet, names, more, facts, sources, md5(s::text || '${String(FOLDING)}')
  FROM subjects s`;

/** What is no longer there is gone at once: also from walks that began when it was. */
const REMOVE = `
  DELETE FROM search_documents d
  WHERE d.until IS NULL AND NOT EXISTS (SELECT FROM wanted_documents w WHERE w.type = d.type AND w.key = d.key)
  RETURNING d.words`;

/** A state that nobody needs any more, or that a withheld source has a share in. */
const REMOVE_OLDER = `
  WITH removed AS (
    DELETE FROM search_documents d
    WHERE d.until IS NOT NULL AND (
      d.closed_at < now() - interval '${PINNED_FOR}'
      OR NOT EXISTS (SELECT FROM wanted_documents w WHERE w.type = d.type AND w.key = d.key)
      OR EXISTS (SELECT FROM search_texts t JOIN sources p ON p.id = ANY (t.sources)
                 WHERE t.document = d.id AND p.withheld))
    RETURNING d.words, d.until
  ), moved AS (
    UPDATE search_horizon SET revision = greatest(revision, (SELECT max(until) FROM removed))
  )
  SELECT words FROM removed`;

const CLOSE = `
  UPDATE search_documents d SET until = $1, closed_at = now()
  FROM wanted_documents w, search_texts t
  WHERE d.until IS NULL AND t.document = d.id AND w.type = d.type AND w.key = d.key
    AND w.fingerprint <> t.fingerprint`;

const MISSING = `
  DECLARE missing_documents NO SCROLL CURSOR FOR
  SELECT w.type, w.key, w.rank, w.title, w.snippet, w.names, w.more, w.facts, w.sources, w.fingerprint
  FROM wanted_documents w
  WHERE NOT EXISTS (
    SELECT FROM search_documents d WHERE d.type = w.type AND d.key = w.key AND d.until IS NULL)
  ORDER BY w.rank DESC, w.type, w.key`;

const INSERT = `
  WITH numbered AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('search_documents', 'id'))::integer AS id, g.*
    FROM jsonb_to_recordset($1::jsonb) AS g (
      type text, key text, rank smallint, title jsonb, snippet jsonb, names text[], words text[], facts jsonb,
      sources text[], fingerprint text)
  ), given AS MATERIALIZED (
    SELECT *, ${TIER} * ${String(SHELVES)} + id / ${String(STRETCH)} AS shelf FROM numbered
  ), made AS (
    INSERT INTO search_documents (id, type, key, rank, shelf, words, since) OVERRIDING SYSTEM VALUE
    SELECT id, type, key, rank, shelf,
           array_to_tsvector(ARRAY(SELECT shelf || ':' || w.word FROM unnest(words) AS w (word))), $2
    FROM given
  ), shelved AS (
    INSERT INTO search_shelves SELECT DISTINCT shelf FROM given ON CONFLICT DO NOTHING
  ), told AS (
    INSERT INTO search_texts (document, title, snippet, names, facts, sources, fingerprint)
    SELECT id, title, snippet, names, facts, sources, fingerprint FROM given
  )
  INSERT INTO search_names (name, document) SELECT n.name, g.id FROM given g, unnest(g.names) AS n (name)`;

const LEARN = `
  INSERT INTO search_words (word, since) SELECT DISTINCT w.word, $2::integer FROM unnest($1::text[]) AS w (word)
  ON CONFLICT DO NOTHING`;

const FORGET = `
  DELETE FROM search_words w
  WHERE w.word = ANY ($1) AND NOT EXISTS (
    SELECT FROM search_shelves s
      JOIN search_documents d ON d.words @@ ('''' || s.shelf || ':' || w.word || '''')::tsquery)`;

interface WantedRow extends SubjectTexts {
  readonly type: string;
  readonly key: string;
}

/** Documents and words of all that can be found. Says how many documents it moved. */
export async function renewSearch(client: pg.PoolClient, revision: RecordedRevision): Promise<number> {
  await client.query(WANTED);
  const aliases = JSON.stringify(readAliases());
  for (const { type, sql } of SEARCH_SUBJECTS) await client.query(want(type, sql), [aliases]);
  await client.query('ANALYZE wanted_documents (type, key)');
  const removed = await client.query<{ words: string }>(REMOVE);
  const closed = await client.query(CLOSE, [revision.id]);
  const older = await client.query<{ words: string }>(REMOVE_OLDER);
  const made = await makeMissing(client, revision.id);
  const gone = new Set([...removed.rows, ...older.rows].flatMap(({ words }) => lexemesOf(words)));
  if (gone.size > 0) await client.query(FORGET, [[...gone]]);
  await client.query('DROP TABLE wanted_documents');
  if (made > 0) await client.query('SELECT flush_search_lists()');
  return (removed.rowCount ?? 0) + (closed.rowCount ?? 0) + made;
}

async function makeMissing(client: pg.PoolClient, revision: number): Promise<number> {
  let made = 0;
  await client.query(MISSING);
  for (;;) {
    const { rows } = await client.query<WantedRow>(`FETCH ${String(BATCH)} FROM missing_documents`);
    if (rows.length === 0) break;
    const latin = new Set<string>();
    const documents = rows.map(({ more, ...row }) => {
      const folded = foldTexts({ names: row.names, more });
      for (const word of folded.latin) latin.add(word);
      return { ...row, names: folded.names, words: folded.words };
    });
    await client.query(INSERT, [JSON.stringify(documents), revision]);
    await client.query(LEARN, [[...latin], revision]);
    made += rows.length;
  }
  await client.query('CLOSE missing_documents');
  return made;
}

/** Of a vector as the server writes it: `'12:one' '12:two'`. Words hold no quotation mark. */
function lexemesOf(vector: string): string[] {
  return vector === ''
    ? []
    : vector
        .slice(1, -1)
        .split("' '")
        .map((lexeme) => lexeme.slice(lexeme.indexOf(':') + 1));
}
