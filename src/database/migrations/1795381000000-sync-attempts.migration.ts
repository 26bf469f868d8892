import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts of `tidemark sync` to import what a publisher has released. */
export class SyncAttempts1795381000000 implements MigrationInterface {
  readonly name = 'SyncAttempts1795381000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sync_attempts (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        publisher text NOT NULL,
        started_at timestamptz NOT NULL,
        -- Null while it runs, or if its process was killed and nobody has noticed.
        ended_at timestamptz,
        outcome text CHECK (outcome IN ('new','nothing new','held','failed')),
        why text,
        -- Of its last publication, written in the publishing transaction.
        data_version integer REFERENCES publications ON DELETE SET NULL,
        vintage_day date,
        -- When the publisher is due again.
        next_at timestamptz,
        CHECK (num_nulls(ended_at, outcome, next_at) IN (0, 3))
      );
      CREATE INDEX sync_attempts_publisher ON sync_attempts (publisher, id DESC);
      -- Nobody begins an attempt before the last one has its outcome.
      CREATE UNIQUE INDEX sync_attempts_running ON sync_attempts (publisher) WHERE outcome IS NULL;

      GRANT SELECT, INSERT, UPDATE ON sync_attempts TO tidemark_import;
      GRANT SELECT ON sync_attempts TO tidemark_api;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sync_attempts');
  }
}
