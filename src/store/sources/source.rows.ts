import type { Sources } from '../../domain/sources/attributions.js';
import type { Localized } from '../../domain/locale/locale.js';
import type { Read } from '../snapshots.js';
import type { SourceEntity } from './source.entity.js';

interface SourceRow extends Omit<SourceEntity, 'withheld' | 'portal' | 'modelled'> {
  readonly series: readonly { readonly key: string; readonly name: Localized; readonly url: string }[];
}

const QUERY = `
  SELECT p.id, p.name, p.publisher, p.url, p.level, p.licence, p.attribution, p.notice,
         p.retrieved_on AS "retrievedOn",
         (SELECT coalesce(jsonb_agg(jsonb_build_object('key', s.key, 'name', s.name, 'url', s.url) ORDER BY s.key COLLATE "C"), '[]')
            FROM (SELECT slug AS key, name, series_url AS url, source_id FROM indicators
                  UNION ALL SELECT key, name, series_url, source_id FROM instruments) s
            WHERE s.source_id = p.id AND s.url IS NOT NULL) AS series
  FROM sources p`;

/** Every source that is not withheld, with its series: a few dozen, constant within a data version. */
export async function readSources(read: Read): Promise<Sources> {
  return new Map((await read<SourceRow>(QUERY)).map((row) => [row.id, row]));
}
