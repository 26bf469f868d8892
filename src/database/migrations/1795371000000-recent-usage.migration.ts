import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the account page shows of the last hour, and when each key was last used. Instances write it each few seconds. */
export class RecentUsage1795371000000 implements MigrationInterface {
  readonly name = 'RecentUsage1795371000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE minute_usage (
        account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
        minute timestamptz NOT NULL CHECK (date_trunc('minute', minute, 'UTC') = minute),
        admitted integer NOT NULL CHECK (admitted > 0),
        PRIMARY KEY (account_id, minute)
      );
      CREATE INDEX minute_usage_minute ON minute_usage (minute);
      CREATE TABLE key_usage (
        key_id text PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
        last_used_at timestamptz NOT NULL,
        client text NOT NULL CHECK (char_length(client) <= 100)
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON minute_usage, key_usage TO tidemark_api;
      GRANT SELECT ON minute_usage, key_usage TO tidemark_account`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE minute_usage, key_usage');
  }
}
