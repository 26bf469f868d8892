import type { Locale } from '../locale/locale.js';
import type { Read } from '../database/snapshots.js';
import { isLicenceId, LICENCES } from './licences.js';
import type { SourceAttribution } from './source.schema.js';
import type { SourceEntity } from './source.entity.js';

export type SourceRow = Omit<SourceEntity, 'withheld'>;

export type Sources = ReadonlyMap<string, SourceRow>;

const QUERY = `
  SELECT id, name, publisher, url, level, licence, attribution, notice, retrieved_on AS "retrievedOn"
  FROM sources`;

/** Every source that is not withheld: a few dozen, constant within a data version. */
export async function readSources(read: Read): Promise<Sources> {
  return new Map((await read<SourceRow>(QUERY)).map((row) => [row.id, row]));
}

/**
 * The attributions of all cited sources, in the order of the ids.
 * @throws if one is missing: a figure without its attribution must not be served
 */
export function attributionsOf(
  sources: Sources,
  ids: readonly string[],
  locale: Locale,
): SourceAttribution[] {
  return ids.map((id) => {
    const row = sources.get(id);
    if (row === undefined) throw new Error(`No attribution for ${id}`);
    return {
      id,
      name: row.name[locale],
      publisher: row.publisher[locale],
      url: row.url,
      level: row.level,
      licence: licenceOf(row),
      attribution: row.attribution[locale],
      notice: row.notice?.[locale] ?? null,
      retrievedAt: row.retrievedOn,
    };
  });
}

function licenceOf({ id, licence }: SourceRow): SourceAttribution['licence'] {
  if (!isLicenceId(licence)) throw new Error(`Source ${id} names an unknown licence`);
  const { name, url } = LICENCES[licence];
  return { id: licence, name, url };
}
