import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The verb of an indicator, and its names above and below zero, for sentences; the next import writes them. */
export class IndicatorWording1795351000000 implements MigrationInterface {
  readonly name = 'IndicatorWording1795351000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE indicators ADD COLUMN wording jsonb NOT NULL DEFAULT '{"verb": "rise", "sides": null}';
      ALTER TABLE indicators ALTER COLUMN wording DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE indicators DROP COLUMN wording');
  }
}
