// Lists companies: active legal entities under a permanent slug.
import type pg from 'pg';
import { normalizeText } from '../../../domain/search/normalize.js';
import type { Publication } from '../../publication/record-publication.js';
import type { RefreshScope } from '../refresh-scope.js';
import { slugCandidates, type Identified } from './company-slugs.js';
import { countCompanies, rankedIn } from './count-companies.js';

/** Entities in memory at a time. */
const BATCH = 2_000;

interface Entity extends Identified {
  readonly id: string;
  readonly country: string | null;
  readonly source: string;
  readonly active: boolean;
  readonly slug: string | null;
  readonly tickerSource: string | null;
}

/** New and changed entities, and both ends of changed relations. */
const AFFECTED = `
  CREATE TEMP TABLE IF NOT EXISTS affected_entities (id text NOT NULL) ON COMMIT DROP;
  INSERT INTO affected_entities
  SELECT parent FROM relations WHERE data_version = $1
  UNION SELECT child FROM relations WHERE data_version = $1
  UNION SELECT id FROM entities WHERE data_version = $1`;

/** Those whose tickers are withheld now. */
const TICKERS_WITHHELD = `
  INSERT INTO affected_entities
  SELECT c.entity_id FROM companies c JOIN sources s ON s.id = c.ticker_source AND s.withheld
  WHERE NOT EXISTS (SELECT FROM affected_entities n WHERE n.id = c.entity_id)`;

/** Entities that this publication changed, and those with tickers of a source that is withheld now. */
const ALTERED = `
  SELECT e.id, e.name, e.lei, e.cik, e.country, e.source_id AS source, e.status = 'active' AS active, c.slug,
         (SELECT min(t.source_id) FROM company_tickers t JOIN sources s ON s.id = t.source_id AND NOT s.withheld
          WHERE t.cik = e.cik) AS "tickerSource"
  FROM affected_entities n JOIN entities e USING (id)
    LEFT JOIN companies c ON c.entity_id = e.id
  WHERE e.name IS NOT NULL AND (c.slug IS NOT NULL OR e.status = 'active') AND e.id > $2
    AND (e.data_version = $1
      OR c.ticker_source IN (SELECT id FROM sources WHERE withheld))
  ORDER BY e.id LIMIT ${BATCH}`;

export async function refreshCompanies(
  client: pg.PoolClient,
  { dataVersion }: Publication,
  scope: RefreshScope,
): Promise<number> {
  for (const statement of AFFECTED.split(';')) {
    await client.query(statement, statement.includes('$1') ? [dataVersion] : []);
  }
  if (scope === 'everything') await client.query(TICKERS_WITHHELD);
  await client.query('ANALYZE affected_entities');
  let renewed = 0;
  for (let after = ''; ;) {
    const { rows } = await client.query<Entity>(ALTERED, [dataVersion, after]);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    await renew(client, rows, dataVersion);
    renewed += rows.length;
  }
  return renewed + (await countCompanies(client, dataVersion));
}

async function renew(client: pg.PoolClient, entities: readonly Entity[], dataVersion: number): Promise<void> {
  const slugs = await slugsOf(client, entities);
  const rows = entities.map((entity) => ({
    ...entity,
    slug: slugs.get(entity.id) ?? '',
    folded: normalizeText(entity.name).slice(0, 300),
  }));
  await client.query(
    `WITH given AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (slug text, id text, active boolean, folded text,
         "tickerSource" text, country text, source text))
     INSERT INTO companies AS c (slug, entity_id, listed, folded_name, ticker_source, country, source_id,
       subsidiaries, consolidated, rank, data_version)
     SELECT slug, id, active, folded, "tickerSource", country, source, direct, consolidated, rank, $2
     FROM given JOIN (${rankedIn('given n')}) ranked USING (id)
     ON CONFLICT (slug) DO UPDATE SET listed = excluded.listed, folded_name = excluded.folded_name,
       ticker_source = excluded.ticker_source, country = excluded.country, source_id = excluded.source_id`,
    [JSON.stringify(rows), dataVersion],
  );
}

/** Slugs by entity. Of namesakes in one publication, the first by identifier gets the plain slug. */
async function slugsOf(client: pg.PoolClient, entities: readonly Entity[]): Promise<ReadonlyMap<string, string>> {
  const slugs = new Map(entities.flatMap(({ id, slug }) => (slug === null ? [] : [[id, slug] as const])));
  const fresh = entities.filter(({ slug }) => slug === null);
  const wanted = fresh.flatMap((entity) => slugCandidates(entity));
  const taken = await client.query<{ slug: string }>('SELECT slug FROM companies WHERE slug = ANY ($1)', [wanted]);
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
