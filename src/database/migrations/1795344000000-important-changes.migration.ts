import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the few changes above a high `minImportance`; for a low one, walking the list finds many. */
export class ImportantChanges1795344000000 implements MigrationInterface {
  readonly name = 'ImportantChanges1795344000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX changes_importance ON changes (importance, position)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX changes_importance');
  }
}
