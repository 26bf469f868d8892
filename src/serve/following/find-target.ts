import type { DataSource } from 'typeorm';
import { AccessError } from '../access/accounts/access-error.js';
import { noSuch } from '../../domain/errors/nearest.js';
import { REGION_CODES } from '../../domain/catalogue/closed-sets.js';
import { named, readTarget, type TargetKey, type TargetType } from './targets.js';

export const FIND = `SELECT 1 FROM (${named('$1', '$2')}) AS n`;

/** Closed sets, small enough to suggest the nearest key. Registers are too large: search finds their names. */
const KNOWN: Partial<Readonly<Record<TargetType, string>>> = {
  topic: 'SELECT slug AS key FROM topics ORDER BY ordinal',
  coverage: 'SELECT key FROM coverage_domains ORDER BY ordinal',
  country: 'SELECT code AS key FROM regions ORDER BY code',
  instrument: 'SELECT x.key FROM instruments x JOIN series s ON s.instrument = x.key ORDER BY x.ordinal',
  indicator: 'SELECT x.slug AS key FROM indicators x JOIN sources p ON p.id = x.source_id ORDER BY x.ordinal',
  series: `SELECT indicator || '@' || region AS key FROM series WHERE region IS NOT NULL ORDER BY 1`,
};

/** The target with the key that the database uses. @throws AccessError with the nearest keys */
export async function findTarget(database: DataSource, type: TargetType, text: string): Promise<TargetKey> {
  const target = withCode(readTarget(type, text));
  const found = await database.query<object[]>(FIND, [target.type, target.key]);
  if (found.length > 0) return target;
  const sql = KNOWN[target.type];
  const known = sql === undefined ? [] : (await database.query<{ key: string }[]>(sql)).map(({ key }) => key);
  throw new AccessError(noSuch(target.type, target.key, known), { code: 'target_unknown' });
}

/** The database stores one code of each region; operators write either of two. */
function withCode({ type, key }: TargetKey): TargetKey {
  if (type !== 'country' && type !== 'series') return { type, key };
  const [indicator = '', region = ''] = type === 'country' ? ['', key] : key.split('@');
  const code = REGION_CODES.get(region) ?? region;
  return { type, key: type === 'country' ? code : `${indicator}@${code}` };
}
