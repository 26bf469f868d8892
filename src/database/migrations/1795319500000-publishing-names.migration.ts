import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  ['spoken_vintages', 'declared_vintages'],
  ['noted_origins', 'declared_sources'],
  ['search_shelves', 'search_partitions'],
] as const;

const COLUMNS = [
  ['search_partitions', 'shelf', 'partition'],
  ['search_documents', 'shelf', 'partition'],
  ['signals', 'judged', 'stage'],
  ['alerts', 'judged_period', 'evaluated_period'],
] as const;

/** Names of constraints and indexes begin with the name of their table. */
const renameTable = (from: string, to: string): string => `
  ALTER TABLE ${from} RENAME TO ${to};
  DO $$
  DECLARE
    named text;
  BEGIN
    FOR named IN SELECT conname FROM pg_constraint WHERE conrelid = '${to}'::regclass AND starts_with(conname, '${from}_')
    LOOP
      EXECUTE format('ALTER TABLE ${to} RENAME CONSTRAINT %I TO %I', named, replace(named, '${from}_', '${to}_'));
    END LOOP;
  END $$;`;

const renameColumn = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to};`;

/** Renames tables and columns of publishing and search to the names that the code uses. */
export class PublishingNames1795319500000 implements MigrationInterface {
  readonly name = 'PublishingNames1795319500000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [from, to] of TABLES) await runner.query(renameTable(from, to));
    for (const [table, from, to] of COLUMNS) await runner.query(renameColumn(table, from, to));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, from, to] of COLUMNS) await runner.query(renameColumn(table, to, from));
    for (const [from, to] of TABLES) await runner.query(renameTable(to, from));
  }
}
