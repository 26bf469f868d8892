import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trigger function contains the names of table and column as text, so a rename must replace it. */
const rename = (from: string, to: string, column: string, newColumn: string): string => `
  ALTER TABLE ${from} RENAME TO ${to};
  ALTER TABLE ${to} RENAME COLUMN ${column} TO ${newColumn};
  ALTER TRIGGER accounts_${column} ON accounts RENAME TO accounts_${newColumn};
  ALTER TRIGGER api_keys_${column} ON api_keys RENAME TO api_keys_${newColumn};
  ALTER FUNCTION advance_${from}() RENAME TO advance_${to};
  CREATE OR REPLACE FUNCTION advance_${to}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ${to} SET ${newColumn} = ${newColumn} + 1;
    RETURN NULL;
  END $$;`;

/** The counter of changes to accounts and keys is a version, like the data version; an epoch is a span of time. */
export class AccessVersion1795332000000 implements MigrationInterface {
  readonly name = 'AccessVersion1795332000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rename('access_epoch', 'access_version', 'epoch', 'version'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(rename('access_version', 'access_epoch', 'version', 'epoch'));
  }
}
