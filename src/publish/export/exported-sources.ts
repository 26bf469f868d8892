import type { Read } from '../../store/snapshots.js';
import { DEFAULT_LOCALE, inAll } from '../../domain/locale/locale.js';
import { readSources } from '../../store/sources/source.rows.js';
import { attributionsOf } from '../../domain/sources/attributions.js';
import { Citations } from '../../domain/sources/citations.js';
import { textColumns, inColumns, type ExportedRow, type ExportedTable } from './exported-tables.js';

/** Every source that the other tables name. */
const NAMED = `
  SELECT source_id AS id FROM series UNION SELECT unnest(origins) FROM series UNION SELECT source_id FROM changes
  UNION SELECT source_id FROM calendar_events UNION SELECT source_id FROM entities UNION SELECT source_id FROM relations
  UNION SELECT source_id FROM company_tickers`;

/** The attributions as the API words them: each must be shown with the figures of its source. */
export const SOURCES: ExportedTable = {
  name: 'sources',
  columns: {
    id: 'text',
    ...textColumns('name'),
    ...textColumns('publisher'),
    url: 'text',
    level: 'text',
    licence: 'text',
    licenceName: 'text',
    licenceUrl: 'text',
    ...textColumns('attribution'),
    ...textColumns('notice'),
    retrievedAt: 'date',
  },
  content: readNamed,
};

async function readNamed(read: Read): Promise<ExportedRow[]> {
  const sources = await readSources(read);
  const cited = new Citations();
  for (const { id } of await read<{ id: string }>(NAMED)) if (sources.has(id)) cited.source(id);
  const all = inAll((locale) => attributionsOf(sources, cited, locale));
  return all[DEFAULT_LOCALE].map(({ id, url, level, licence, retrievedAt }, index): ExportedRow => {
    const inLocales = (member: 'name' | 'publisher' | 'attribution' | 'notice') =>
      inColumns(member, (locale) => all[locale][index]?.[member]);
    return {
      id,
      ...inLocales('name'),
      ...inLocales('publisher'),
      url,
      level,
      licence: licence.id,
      licenceName: licence.name,
      licenceUrl: licence.url,
      ...inLocales('attribution'),
      ...inLocales('notice'),
      retrievedAt,
    };
  });
}
