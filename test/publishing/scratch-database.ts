import type { DataSource } from 'typeorm';
import { createTestDatabase, type Template, type TestDatabase } from '../support/database.js';

/** A separate migrated database, seen by each of the three roles. */
export interface ScratchDatabase {
  readonly database: TestDatabase;
  readonly publisher: DataSource;
  readonly reader: DataSource;
  /** Another connection under the import role, for code that closes its own. */
  connect(): Promise<DataSource>;
  /** As the owner, who may see and do everything. */
  sql<Row>(text: string, parameters?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openScratchDatabase(template: Template = 'empty'): Promise<ScratchDatabase> {
  const database = await createTestDatabase(template);
  const owner = await database.open('admin');
  return {
    database,
    publisher: await database.open('import'),
    reader: await database.open('api'),
    connect: () => database.open('import'),
    sql: (text, parameters = []) => owner.query(text, parameters),
    close: () => database.drop(),
  };
}

/** The only row of a query's result. */
export async function oneRow<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows;
  if (row === undefined) throw new Error('no row');
  return row;
}
