import type { DataSource } from 'typeorm';
import { noSuch } from '../../domain/errors/nearest.js';
import { ImportError } from '../batches/importer.js';
import type { ShownChange } from './show-change.js';

type ListedChange = Pick<
  ShownChange,
  'id' | 'kind' | 'status' | 'headline' | 'importance' | 'publishedAt' | 'dataVersion' | 'sourceId'
>;

/** $1 a source or null, $2 how many */
const LIST = `
  SELECT id, kind, status, headline::jsonb, importance, published_at AS "publishedAt", data_version AS "dataVersion",
    source_id AS "sourceId"
  FROM changes WHERE $1::text IS NULL OR source_id = $1 ORDER BY position DESC LIMIT $2`;

/** Newest first, also withdrawn ones. @throws ImportError if there is no such source */
export async function listChanges(
  dataSource: DataSource,
  source: string | null,
  most: number,
): Promise<ListedChange[]> {
  if (source !== null) await requireSource(dataSource, source);
  return dataSource.query<ListedChange[]>(LIST, [source, most]);
}

async function requireSource(dataSource: DataSource, id: string): Promise<void> {
  const rows = await dataSource.query<{ id: string }[]>('SELECT id FROM sources ORDER BY id');
  const known = rows.map((row) => row.id);
  if (!known.includes(id)) throw new ImportError(noSuch('source', id, known));
}
