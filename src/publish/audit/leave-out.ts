import type pg from 'pg';
import { noSuch } from '../../domain/errors/nearest.js';
import { ImportError } from '../batches/importer.js';
import type { ImportOptions } from '../publication/import-options.js';
import { isEntity } from '../publication/finding.js';
import { leaveOutEntities } from './waiting-entities.js';

const NAMED = `
  SELECT s.id, wanted.name FROM unnest($1::text[]) AS wanted (name)
    JOIN series s ON wanted.name IN (concat_ws(' ', s.instrument, s.indicator, s.region), s.indicator)`;

const EVERY_NAME = `
  SELECT concat_ws(' ', instrument, indicator, region) AS name FROM series
  UNION SELECT indicator FROM series WHERE indicator IS NOT NULL`;

/**
 * Takes series and entities out of what is staged, as if the delivery did not speak of them. Names are `gdp-growth JP`,
 * `gdp-growth` for every region, an instrument, an LEI, or `CIK 320193`.
 */
export async function leaveOut(
  client: pg.PoolClient,
  { without = [], only }: Pick<ImportOptions, 'without' | 'only'>,
): Promise<void> {
  const isSeries = (name: string): boolean => !isEntity(name);
  await deleteWhere(client, await idsOf(client, without.filter(isSeries)), 'series_id = ANY ($1)');
  if (only !== undefined)
    await deleteWhere(client, await idsOf(client, only.filter(isSeries)), 'series_id <> ALL ($1)');
  await leaveOutEntities(client, without.filter(isEntity), only?.filter(isEntity));
}

async function deleteWhere(client: pg.PoolClient, ids: readonly number[], condition: string): Promise<void> {
  for (const table of ['staged_observations', 'declared_coverage']) {
    await client.query(`DELETE FROM ${table} WHERE ${condition}`, [ids]);
  }
}

/** @throws ImportError for a name that no series has */
async function idsOf(client: pg.PoolClient, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return [];
  const { rows } = await client.query<{ id: number; name: string }>(NAMED, [names]);
  const unknown = names.filter((wanted) => !rows.some(({ name }) => name === wanted));
  if (unknown.length > 0) {
    const known = (await client.query<{ name: string }>(EVERY_NAME)).rows.map(({ name }) => name);
    throw new ImportError(unknown.map((name) => noSuch('series', name, known)).join(' '));
  }
  return rows.map(({ id }) => id);
}
