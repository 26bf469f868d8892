import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an attempt imported, so that the next one recognises the same files. */
export class SyncedContent1795384500000 implements MigrationInterface {
  readonly name = 'SyncedContent1795384500000';

  async up(runner: QueryRunner): Promise<void> {
    // A hash of the files and of what decides how they are read.
    await runner.query('ALTER TABLE sync_attempts ADD COLUMN content text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sync_attempts DROP COLUMN content');
  }
}
