import type { DataSource } from 'typeorm';
import { createTestDatabase } from '../support/database.js';

// Each import is a transaction of some thirty statements: a loaded machine is slow, not wrong.
jest.setTimeout(60_000);

/** A migrated database of its own, seen by each of the three roles. */
export interface ScratchDatabase {
  readonly publisher: DataSource;
  readonly reader: DataSource;
  /** One more connection under the import role, for what closes its own. */
  connect(): Promise<DataSource>;
  /** As the owner, who sees and may do everything. */
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openScratchDatabase(): Promise<ScratchDatabase> {
  const database = await createTestDatabase();
  const owner = await database.open('admin');
  return {
    publisher: await database.open('import'),
    reader: await database.open('api'),
    connect: () => database.open('import'),
    sql: (text, parameters = []) => owner.query(text, parameters),
    close: () => database.drop(),
  };
}

/** The one row that a question has for an answer. */
export async function oneRow<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows;
  if (row === undefined) throw new Error('no row');
  return row;
}
