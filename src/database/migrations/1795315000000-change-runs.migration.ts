import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each publication inserts its changes once, as one run of positions in the order of their days. A time window is thus
 * one range of each run, and two index lookups find it anywhere in the list.
 */
export class ChangeRuns1795315000000 implements MigrationInterface {
  readonly name = 'ChangeRuns1795315000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_runs (
        revision_id integer PRIMARY KEY REFERENCES revisions,
        first_position bigint NOT NULL UNIQUE,
        last_position bigint NOT NULL CHECK (last_position >= first_position),
        occurred_first timestamptz NOT NULL,
        occurred_last timestamptz NOT NULL CHECK (occurred_last >= occurred_first),
        published_at timestamptz NOT NULL
      );
      INSERT INTO change_runs
      SELECT revision_id, min(position), max(position), min(occurred_at), max(occurred_at), min(published_at)
      FROM changes GROUP BY revision_id;
      CREATE FUNCTION note_change_run() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        beginning bigint := (SELECT min(position) FROM made);
      BEGIN
        -- Positions at the end of the list are reused after their changes were deleted.
        DELETE FROM change_runs WHERE first_position >= beginning;
        UPDATE change_runs SET last_position = beginning - 1 WHERE last_position >= beginning;
        INSERT INTO change_runs
        SELECT revision_id, min(position), max(position), min(occurred_at), max(occurred_at), min(published_at)
        FROM made GROUP BY revision_id;
        RETURN NULL;
      END $$;
      -- A trigger, so that publications of an earlier version have a run too, while one version replaces another.
      CREATE TRIGGER note_change_run AFTER INSERT ON changes REFERENCING NEW TABLE AS made
        FOR EACH STATEMENT EXECUTE FUNCTION note_change_run();
      CREATE INDEX changes_run ON changes (revision_id, occurred_at, position);
      CREATE INDEX changes_amended ON changes (updated_at) WHERE status <> 'verified';
      GRANT SELECT ON change_runs TO tidemark_api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON change_runs TO tidemark_import`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER note_change_run ON changes;
      DROP FUNCTION note_change_run;
      DROP INDEX changes_run, changes_amended;
      DROP TABLE change_runs`);
  }
}
