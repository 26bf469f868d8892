import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trigger functions of `change_runs` contain the column's name as text. */
const noteChangeRun = (column: string): string => `
  CREATE OR REPLACE FUNCTION note_change_run() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    beginning bigint := (SELECT min(position) FROM made);
  BEGIN
    -- Positions at the end of the list are reused after their changes were deleted.
    DELETE FROM change_runs WHERE first_position >= beginning;
    UPDATE change_runs SET last_position = beginning - 1 WHERE last_position >= beginning;
    INSERT INTO change_runs
    SELECT ${column}, min(position), max(position), min(occurred_at), max(occurred_at), min(published_at)
    FROM made GROUP BY ${column};
    RETURN NULL;
  END $$;`;

const renameColumns = (from: string, to: string): string => `
  DO $$
  DECLARE
    named text;
  BEGIN
    FOR named IN
      SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = '${from}' ORDER BY table_name
    LOOP
      EXECUTE format('ALTER TABLE %I RENAME COLUMN ${from} TO ${to}', named);
    END LOOP;
  END $$;`;

/**
 * "Revision" means a restated figure only. A publishing transaction is a publication, and its number is the data
 * version.
 */
export class Publications1795317000000 implements MigrationInterface {
  readonly name = 'Publications1795317000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${renameColumns('revision_id', 'data_version')}
      ALTER TABLE revisions RENAME TO publications;
      ALTER TABLE publications RENAME COLUMN id TO data_version;
      ALTER TABLE search_horizon RENAME COLUMN revision TO data_version;
      ALTER INDEX entities_revision RENAME TO entities_data_version;
      ALTER INDEX relations_revision RENAME TO relations_data_version;
      ${noteChangeRun('data_version')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE publications RENAME COLUMN data_version TO id;
      ALTER TABLE publications RENAME TO revisions;
      ALTER TABLE search_horizon RENAME COLUMN data_version TO revision;
      ${renameColumns('data_version', 'revision_id')}
      ALTER INDEX entities_data_version RENAME TO entities_revision;
      ALTER INDEX relations_data_version RENAME TO relations_revision;
      ${noteChangeRun('revision_id')}`);
  }
}
