import type { Locale, Localized } from '../locale/locale.js';
import type { Read } from '../database/snapshots.js';
import { isLicenceId, LICENCES } from './licences.js';
import type { SourceAttribution, SourceLevel } from './source.schema.js';

interface SourceRow {
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

const QUERY = `
  SELECT id, name, publisher, url, level, licence, attribution, notice, retrieved_on AS "retrievedOn"
  FROM sources WHERE id = ANY ($1) ORDER BY id COLLATE "C"`;

/**
 * The attributions of all cited sources, in the order of their ids.
 * @throws when one cannot be read: a figure whose source cannot be shown must not be shown either.
 */
export async function readAttributions(
  read: Read,
  ids: readonly string[],
  locale: Locale,
): Promise<SourceAttribution[]> {
  if (ids.length === 0) return [];
  const rows = await read<SourceRow>(QUERY, [ids]);
  if (rows.length !== ids.length) {
    const found = new Set(rows.map(({ id }) => id));
    throw new Error(`No attribution for ${ids.filter((id) => !found.has(id)).join(', ')}`);
  }
  return rows.map((row) => ({
    id: row.id,
    name: row.name[locale],
    publisher: row.publisher[locale],
    url: row.url,
    level: row.level,
    licence: licenceOf(row),
    attribution: row.attribution[locale],
    notice: row.notice?.[locale] ?? null,
    retrievedAt: row.retrievedOn,
  }));
}

function licenceOf({ id, licence }: SourceRow): SourceAttribution['licence'] {
  if (!isLicenceId(licence)) throw new Error(`Source ${id} names an unknown licence`);
  const { name, url } = LICENCES[licence];
  return { id: licence, name, url };
}
