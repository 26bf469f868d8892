import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An exchange rate names its currency, which an indicator's unit does not know: the region does. */
export class RegionCurrencies1795343000000 implements MigrationInterface {
  readonly name = 'RegionCurrencies1795343000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE regions ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE regions DROP COLUMN currency');
  }
}
