import type { MigrationInterface, QueryRunner } from 'typeorm';

const rename = (from: string, to: string): string => `
  DO $$
  DECLARE
    one record;
  BEGIN
    FOR one IN
      SELECT conrelid::regclass AS on_table, conname FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND conname LIKE '%\\_${from}\\_fkey'
    LOOP
      EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', one.on_table, one.conname,
        replace(one.conname, '_${from}_fkey', '_${to}_fkey'));
    END LOOP;
  END $$;`;

/** PostgreSQL keeps the names of constraints when a table or column is renamed; entities expect the new names. */
export class ConstraintNames1795342000000 implements MigrationInterface {
  readonly name = 'ConstraintNames1795342000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(rename('revision_id', 'data_version'));
    await runner.query('ALTER TABLE publications RENAME CONSTRAINT revisions_pkey TO publications_pkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publications RENAME CONSTRAINT publications_pkey TO revisions_pkey');
    await runner.query(rename('data_version', 'revision_id'));
  }
}
