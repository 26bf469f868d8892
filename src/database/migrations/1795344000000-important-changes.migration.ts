import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the few changes of a high `minImportance`; many are found by walking the list. */
export class ImportantChanges1795344000000 implements MigrationInterface {
  readonly name = 'ImportantChanges1795344000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX changes_importance ON changes (importance, position)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX changes_importance');
  }
}
