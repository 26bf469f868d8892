import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far each instance's batches of use are in `daily_usage`: one that is sent again, because nobody heard that it was
 * written, is not added again. An earlier version adds its own without, and is none the worse for this table.
 */
export class UsageWriters1795316000000 implements MigrationInterface {
  readonly name = 'UsageWriters1795316000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_writers (
        id uuid PRIMARY KEY,
        batch integer NOT NULL CHECK (batch > 0),
        written_at timestamptz NOT NULL DEFAULT now()
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON usage_writers TO tidemark_api`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_writers');
  }
}
