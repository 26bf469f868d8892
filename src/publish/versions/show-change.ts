import type { DataSource } from 'typeorm';
import { noSuch } from '../../domain/errors/nearest.js';
import type { Localized } from '../../domain/locale/locale.js';
import { ImportError } from '../batches/importer.js';

export interface ShownChange {
  readonly id: string;
  readonly kind: string;
  readonly status: 'verified' | 'corrected' | 'withdrawn';
  readonly headline: Localized;
  readonly summary: Localized;
  readonly importance: number;
  readonly occurredAt: Date;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly withdrawnAt: Date | null;
  readonly withdrawalReason: string | null;
  /** Of its publication. */
  readonly dataVersion: number;
  readonly sourceId: string;
}

const FIND_CHANGE = `
  SELECT id, kind, status, headline::jsonb, summary::jsonb, importance, occurred_at AS "occurredAt",
    published_at AS "publishedAt", updated_at AS "updatedAt", withdrawn_at AS "withdrawnAt",
    withdrawal_reason AS "withdrawalReason", data_version AS "dataVersion", source_id AS "sourceId"
  FROM changes WHERE id = $1`;

/** Also a withdrawn one, with the operator's reason. @throws ImportError if there is none */
export async function findChange(dataSource: DataSource, id: string): Promise<ShownChange> {
  const [change] = await dataSource.query<ShownChange[]>(FIND_CHANGE, [id]);
  if (change === undefined) throw new ImportError(await unknownChange(dataSource, id));
  return change;
}

/** Of the many ids those that share the first or the last characters: people copy ids incompletely. */
const SIMILAR_IDS = `
  SELECT id FROM changes WHERE left(id, 8) = left($1, 8) OR right(id, 4) = right($1, 4) ORDER BY id LIMIT 100`;

export async function unknownChange(dataSource: DataSource, id: string): Promise<string> {
  const rows = await dataSource.query<{ id: string }[]>(SIMILAR_IDS, [id]);
  return noSuch(
    'change',
    id,
    rows.map((row) => row.id),
  );
}
