import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A day of a register that only repeats what is stored moves nothing, as with vintages of series. */
export class ChangedRegisters1795385000000 implements MigrationInterface {
  readonly name = 'ChangedRegisters1795385000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Of the days stored so far, nothing tells which ones repeated the day before.
      ALTER TABLE register_vintages ADD COLUMN changed boolean NOT NULL DEFAULT true;
      ALTER TABLE register_vintages ALTER COLUMN changed DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE register_vintages DROP COLUMN changed');
  }
}
