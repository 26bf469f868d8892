// Refreshes the documents and words of search.
import type pg from 'pg';
import { facetToken, PARTITIONS_PER_TIER, PARTITION_SIZE } from '../../../domain/search/index-partitions.js';
import { readAliases } from '../../catalogue/aliases.js';
import type { Publication } from '../../publication/record-publication.js';
import type { RefreshScope } from '../refresh-scope.js';
import { normalizeTexts, type SubjectTexts } from './normalize-texts.js';
import { SEARCH_SUBJECTS, type SearchSubject } from './search-subjects.js';

/** Raise it when normalisation changes: all stored texts are then normalised again. */
const FOLDING = 3;
/** The tier of a document; lower tiers are found first: few subjects, then the others by tens of their rank. */
const TIER = `CASE WHEN type IN ('country', 'indicator', 'instrument') THEN 0 ELSE 1 + (100 - rank) / 10 END`;
/** How long older states of documents stay for paging that began with them. */
const PINNED_FOR = '10 minutes';
const BATCH = 1_000;

const WANTED = `
  CREATE TEMP TABLE IF NOT EXISTS desired_documents (
    type text COLLATE "C", key text COLLATE "C", rank smallint, title jsonb, snippet jsonb, names text[], more text[],
    facts jsonb, sources text[], fingerprint text) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS affected_documents (type text COLLATE "C", key text COLLATE "C") ON COMMIT DROP`;

const want = ({ type, sql }: SearchSubject, where: string): string => `
  WITH aliases AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS a (type text, key text, names text[], related text[])
  ), subjects AS (SELECT * FROM (${sql}) one WHERE ${where})
  INSERT INTO desired_documents
  SELECT '${type}', key, least(100, rank), title, snippet, names, more, facts, sources, md5(s::text || '${String(FOLDING)}')
  FROM subjects s`;

const all = (type: string): string => `SELECT DISTINCT key FROM search_documents WHERE type = '${type}'`;

/** Deletes documents without a subject at once, also for paging that began with them. */
const REMOVE = `
  DELETE FROM search_documents d USING affected_documents a
  WHERE d.type = a.type AND d.key = a.key AND d.until IS NULL
    AND NOT EXISTS (SELECT FROM desired_documents w WHERE w.type = d.type AND w.key = d.key)
  RETURNING d.words`;

/** Deletes older states that are expired, or that a withheld source contributed to. */
const REMOVE_OLDER = `
  WITH removed AS (
    DELETE FROM search_documents d
    WHERE d.until IS NOT NULL AND (
      d.closed_at < now() - interval '${PINNED_FOR}'
      OR EXISTS (SELECT FROM affected_documents a WHERE a.type = d.type AND a.key = d.key)
        AND NOT EXISTS (SELECT FROM desired_documents w WHERE w.type = d.type AND w.key = d.key)
      OR EXISTS (SELECT FROM search_texts t JOIN sources p ON p.id = ANY (t.sources)
                 WHERE t.document = d.id AND p.withheld))
    RETURNING d.words, d.until
  ), moved AS (
    UPDATE search_horizon SET data_version = greatest(data_version, (SELECT max(until) FROM removed))
  )
  SELECT words FROM removed`;

const CLOSE = `
  UPDATE search_documents d SET until = $1, closed_at = now()
  FROM desired_documents w, search_texts t
  WHERE d.until IS NULL AND t.document = d.id AND w.type = d.type AND w.key = d.key
    AND w.fingerprint <> t.fingerprint`;

const MISSING = `
  DECLARE missing_documents NO SCROLL CURSOR FOR
  SELECT w.type, w.key, w.rank, w.title, w.snippet, w.names, w.more, w.facts, w.sources, w.fingerprint
  FROM desired_documents w
  WHERE NOT EXISTS (
    SELECT FROM search_documents d WHERE d.type = w.type AND d.key = w.key AND d.until IS NULL)
  ORDER BY w.rank DESC, w.type, w.key`;

const INSERT = `
  WITH numbered AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('search_documents', 'id'))::integer AS id, g.*
    FROM jsonb_to_recordset($1::jsonb) AS g (
      type text, key text, rank smallint, title jsonb, snippet jsonb, names text[], keys jsonb, words text[],
      facts jsonb, sources text[], fingerprint text)
  ), given AS MATERIALIZED (
    SELECT *, ${TIER} * ${String(PARTITIONS_PER_TIER)} + id / ${String(PARTITION_SIZE)} AS partition FROM numbered
  ), made AS (
    INSERT INTO search_documents (id, type, key, rank, partition, words, since) OVERRIDING SYSTEM VALUE
    SELECT id, type, key, rank, partition,
           array_to_tsvector(ARRAY(SELECT partition || ':' || w.word FROM unnest(words) AS w (word))), $2
    FROM given
  ), shelved AS (
    INSERT INTO search_partitions SELECT DISTINCT partition FROM given ON CONFLICT DO NOTHING
  ), texts AS (
    INSERT INTO search_texts (document, title, snippet, names, facts, sources, fingerprint)
    SELECT id, title, snippet, names, facts, sources, fingerprint FROM given
  )
  INSERT INTO search_names (name, rank, document, loose)
  SELECT n.name, g.rank, g.id, bool_and(n.loose) FROM given g, jsonb_to_recordset(g.keys) AS n (name text, loose boolean)
  GROUP BY n.name, g.rank, g.id`;

const LEARN = `
  INSERT INTO search_words (word, since) SELECT DISTINCT w.word, $2::integer FROM unnest($1::text[]) AS w (word)
  ON CONFLICT DO NOTHING`;

const FORGET = `
  DELETE FROM search_words w
  WHERE w.word = ANY ($1) AND NOT EXISTS (
    SELECT FROM search_partitions s
      JOIN search_documents d ON d.words @@ ('''' || s.partition || ':' || w.word || '''')::tsquery)`;

interface WantedRow extends Pick<SubjectTexts, 'names' | 'more'> {
  readonly type: string;
  readonly key: string;
  readonly facts: { readonly country?: string; readonly tickers?: readonly string[] };
}

/** Refreshes documents and words. Returns how many documents moved. */
export async function refreshSearch(
  client: pg.PoolClient,
  publication: Publication,
  scope: RefreshScope,
): Promise<number> {
  await client.query(WANTED);
  const aliases = JSON.stringify(readAliases());
  for (const subject of SEARCH_SUBJECTS) {
    const { type, affected } = subject;
    const whole = scope === 'everything' || affected === null;
    if (affected === null && scope === 'affected') continue;
    const keys = whole ? all(type) : affected;
    const { rowCount } = await client.query(`INSERT INTO affected_documents SELECT '${type}', key FROM (${keys}) k`);
    if (rowCount === 0 && !whole) continue;
    const where = whole ? 'true' : `key IN (SELECT a.key FROM affected_documents a WHERE a.type = '${type}')`;
    await client.query(want(subject, where), [aliases]);
  }
  await client.query('ANALYZE desired_documents (type, key); ANALYZE affected_documents');
  const removed = await client.query<{ words: string }>(REMOVE);
  const closed = await client.query(CLOSE, [publication.dataVersion]);
  const older = await client.query<{ words: string }>(REMOVE_OLDER);
  const made = await makeMissing(client, publication.dataVersion);
  const gone = new Set([...removed.rows, ...older.rows].flatMap(({ words }) => lexemesOf(words)));
  if (gone.size > 0) await client.query(FORGET, [[...gone]]);
  // Not dropped: the next day of a list in this transaction would need new locks for new tables.
  await client.query('TRUNCATE desired_documents, affected_documents');
  if (made > 0) await client.query('SELECT flush_search_lists()');
  return (removed.rowCount ?? 0) + (closed.rowCount ?? 0) + made;
}

async function makeMissing(client: pg.PoolClient, dataVersion: number): Promise<number> {
  let made = 0;
  await client.query(MISSING);
  for (;;) {
    const { rows } = await client.query<WantedRow>(`FETCH ${String(BATCH)} FROM missing_documents`);
    if (rows.length === 0) break;
    const latin = new Set<string>();
    const documents = rows.map(({ more, ...row }) => {
      const company = row.type === 'company' || row.type === 'entity';
      const listed = row.facts.tickers !== undefined;
      const { names, keys, words, latin: found } = normalizeTexts({ names: row.names, more, company, listed });
      for (const word of found) latin.add(word);
      const { country } = row.facts;
      const facets = country === undefined ? [] : [facetToken('country', country)];
      return { ...row, names, keys, words: [...words, ...facets] };
    });
    await client.query(INSERT, [JSON.stringify(documents), dataVersion]);
    await client.query(LEARN, [[...latin], dataVersion]);
    made += rows.length;
  }
  await client.query('CLOSE missing_documents');
  return made;
}

/** The lexemes of a tsvector as PostgreSQL prints it: `'12:one' '12:two'`. Words contain no quotation mark. */
function lexemesOf(vector: string): string[] {
  return vector === ''
    ? []
    : vector
        .slice(1, -1)
        .split("' '")
        .map((lexeme) => lexeme.slice(lexeme.indexOf(':') + 1));
}
