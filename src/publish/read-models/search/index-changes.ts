// Index words of changes, for `GET /changes?q=`.
import type pg from 'pg';
import { inPartition, facetToken, partitionOf } from '../../../domain/search/index-partitions.js';
import { words } from '../../../domain/search/words.js';
import { textsIn } from '../../../store/columns-of.js';

const BATCH = 2_000;

const MADE = `
  DECLARE made_changes NO SCROLL CURSOR FOR
  SELECT c.position, c.kind, c.period, coalesce(c.revision, c.rebasing) ->> 'since' AS "restatedSince", s.indicator, s.instrument,
    ${textsIn('c.headline')} AS headlines,
    ARRAY(SELECT e.name FROM change_entities l JOIN entities e ON e.id = l.entity
          WHERE l.position = c.position AND e.name IS NOT NULL) AS entities,
    ARRAY(SELECT l.region FROM change_regions l WHERE l.position = c.position) AS regions,
    ARRAY(SELECT l.coverage FROM change_coverage l WHERE l.position = c.position) AS coverage,
    ARRAY(SELECT l.topic FROM change_topics l WHERE l.position = c.position) AS topics
  FROM changes c LEFT JOIN series s ON s.id = c.series_id
  WHERE c.position IN (SELECT t.position FROM affected_changes t WHERE t.how IN ('made', 'corrected', 'rendered'))
  ORDER BY c.position`;

const WRITE = `
  INSERT INTO change_words (position, words)
  SELECT position, array_to_tsvector(words)
  FROM jsonb_to_recordset($1::jsonb) AS g (position bigint, words text[])
  ON CONFLICT (position) DO UPDATE SET words = excluded.words WHERE change_words.words <> excluded.words`;

interface ChangeTexts {
  readonly position: number;
  readonly kind: string;
  readonly period: string | null;
  /** The oldest period of a revision; the headline names only the first and the last. */
  readonly restatedSince: string | null;
  readonly indicator: string | null;
  readonly instrument: string | null;
  readonly headlines: readonly string[];
  readonly entities: readonly string[];
  readonly regions: readonly string[];
  readonly coverage: readonly string[];
  readonly topics: readonly string[];
}

/**
 * Indexes new and corrected changes; deleted ones take their words along. The index has keys of indicators,
 * instruments and economies instead of their names: a query finds the keys first.
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
  // Other read models count these changes already.
  return 0;
}

function lexemesOf(row: ChangeTexts): string[] {
  const found = new Set([
    facetToken('kind', row.kind),
    ...(row.indicator === null ? [] : [facetToken('indicator', row.indicator)]),
    ...(row.instrument === null ? [] : [facetToken('instrument', row.instrument)]),
    ...row.regions.map((region) => facetToken('country', region)),
    ...row.coverage.map((domain) => facetToken('coverage', domain)),
    ...row.topics.map((topic) => facetToken('topic', topic)),
    ...[...row.headlines, ...row.entities].flatMap(words),
    ...restatedYears(row),
  ]);
  return [...found].map((word) => inPartition(partitionOf(row.position), word));
}

function restatedYears({ period, restatedSince }: ChangeTexts): string[] {
  if (period === null || restatedSince === null) return [];
  const [first, last] = [restatedSince, period].map((one) => Number(one.slice(0, 4))) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}
