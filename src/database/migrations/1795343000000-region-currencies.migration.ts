import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The currency of a region, for its exchange rate: the unit of the indicator does not state it. */
export class RegionCurrencies1795343000000 implements MigrationInterface {
  readonly name = 'RegionCurrencies1795343000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE regions ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE regions DROP COLUMN currency');
  }
}
