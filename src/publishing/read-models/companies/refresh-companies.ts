// Lists companies: active legal entities under a permanent slug.
import type pg from 'pg';
import { normalizeText } from '../../../search/normalize.js';
import type { Publication } from '../../versions/record-publication.js';
import { companyKeysOf } from './company-keys.js';
import { slugCandidates, type Identified } from './company-slugs.js';
import { countCompanies } from './count-companies.js';

/** Entities in memory at a time. */
const BATCH = 2_000;

interface Entity extends Identified {
  readonly id: string;
  readonly country: string | null;
  readonly source: string;
  readonly active: boolean;
  readonly slug: string | null;
  readonly tickers: readonly string[];
  readonly tickerSource: string | null;
}

/** Entities that this publication changed, and those with tickers of a source that is withheld now. */
const ALTERED = `
  SELECT e.id, e.name, e.lei, e.cik, e.country, e.source_id AS source, e.status = 'active' AS active, c.slug,
         coalesce(k.tickers, '{}') AS tickers, k.source AS "tickerSource"
  FROM entities e
    LEFT JOIN companies c ON c.entity_id = e.id
    LEFT JOIN LATERAL (
      SELECT array_agg(t.ticker ORDER BY t.ordinal) AS tickers, min(t.source_id) AS source
      FROM company_tickers t JOIN sources s ON s.id = t.source_id AND NOT s.withheld
      WHERE t.cik = e.cik) k ON true
  WHERE e.name IS NOT NULL AND (c.slug IS NOT NULL OR e.status = 'active') AND e.id > $2
    AND (e.data_version = $1
      OR c.ticker_source IN (SELECT id FROM sources WHERE withheld))
  ORDER BY e.id LIMIT ${BATCH}`;

export async function refreshCompanies(client: pg.PoolClient, { dataVersion }: Publication): Promise<number> {
  let renewed = 0;
  for (let after = ''; ;) {
    const { rows } = await client.query<Entity>(ALTERED, [dataVersion, after]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    await renew(client, rows);
    renewed += rows.length;
  }
  return renewed + (await countCompanies(client, dataVersion));
}

async function renew(client: pg.PoolClient, entities: readonly Entity[]): Promise<void> {
  const slugs = await slugsOf(client, entities);
  const rows = entities.map((entity) => {
    const name = normalizeText(entity.name).slice(0, 300);
    const words = [
      ...new Set([
        ...name.split(' '),
        ...entity.tickers.flatMap((ticker) => normalizeText(ticker).split(' ')),
      ]),
    ];
    return { ...entity, slug: slugs.get(entity.id) ?? '', folded: name, words };
  });
  await client.query(
    `INSERT INTO companies AS c (slug, entity_id, listed, folded_name, words, ticker_source, country, source_id)
     SELECT slug, id, active, folded, words, "tickerSource", country, source
     FROM jsonb_to_recordset($1::jsonb) AS given (slug text, id text, active boolean, folded text, words text,
       "tickerSource" text, country text, source text)
     ON CONFLICT (slug) DO UPDATE SET listed = excluded.listed, folded_name = excluded.folded_name,
       words = excluded.words, ticker_source = excluded.ticker_source, country = excluded.country,
       source_id = excluded.source_id`,
    [JSON.stringify(rows.map((row) => ({ ...row, words: row.words.map((word) => ` ${word}`).join('') })))],
  );
  await client.query('DELETE FROM company_words WHERE slug = ANY ($1)', [rows.map(({ slug }) => slug)]);
  const keys = rows.flatMap(({ active, words, folded, slug, source }) =>
    active ? companyKeysOf(words).map((word) => ({ word, folded, slug, source })) : [],
  );
  // COPY does not work on a table with row-level security.
  await client.query(
    `INSERT INTO company_words (word, folded_name, slug, source_id)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
    [
      keys.map(({ word }) => word),
      keys.map(({ folded }) => folded),
      keys.map(({ slug }) => slug),
      keys.map(({ source }) => source),
    ],
  );
}

/** Slugs by entity. Of namesakes in one publication, the first by identifier gets the plain slug. */
async function slugsOf(
  client: pg.PoolClient,
  entities: readonly Entity[],
): Promise<ReadonlyMap<string, string>> {
  const slugs = new Map(entities.flatMap(({ id, slug }) => (slug === null ? [] : [[id, slug] as const])));
  const fresh = entities.filter(({ slug }) => slug === null);
  const wanted = fresh.flatMap((entity) => slugCandidates(entity));
  const taken = await client.query<{ slug: string }>('SELECT slug FROM companies WHERE slug = ANY ($1)', [
    wanted,
  ]);
  const used = new Set(taken.rows.map(({ slug }) => slug));
  const order = ({ lei, cik }: Identified): string => lei ?? `~${String(cik).padStart(10, '0')}`;
  for (const entity of [...fresh].sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const slug = slugCandidates(entity).find((candidate) => !used.has(candidate));
    if (slug === undefined) throw new Error(`No slug is free for ${entity.id}`);
    used.add(slug);
    slugs.set(entity.id, slug);
  }
  return slugs;
}
