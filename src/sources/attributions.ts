import type { Locale, Localized } from '../locale/locale.js';
import type { Read } from '../database/snapshots.js';
import { isLicenceId, LICENCES } from './licences.js';
import type { SourceAttribution, SourceLevel } from './source.schema.js';

export interface SourceRow {
  readonly id: string;
  readonly name: Localized;
  readonly publisher: Localized;
  readonly url: string;
  readonly level: SourceLevel;
  readonly licence: string;
  readonly attribution: Localized;
  readonly notice: Localized | null;
  readonly retrievedOn: string | null;
}

export type Sources = ReadonlyMap<string, SourceRow>;

const QUERY = `
  SELECT id, name, publisher, url, level, licence, attribution, notice, retrieved_on AS "retrievedOn"
  FROM sources`;

/** Every source that may be shown: a few dozen, which change with a revision only. */
export async function readSources(read: Read): Promise<Sources> {
  return new Map((await read<SourceRow>(QUERY)).map((row) => [row.id, row]));
}

/**
 * The attributions of all cited sources, in the order of the ids given.
 * @throws when one is not to be had: a figure whose source cannot be shown must not be shown either.
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
