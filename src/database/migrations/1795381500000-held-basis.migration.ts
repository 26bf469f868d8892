import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows a held delivery every basis that a vintage has. */
export class HeldBasis1795381500000 implements MigrationInterface {
  readonly name = 'HeldBasis1795381500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE held_deliveries DROP CONSTRAINT held_deliveries_basis_check,
        ADD CONSTRAINT held_deliveries_basis_check CHECK (basis IN ('released', 'updated', 'retrieved'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE held_deliveries SET basis = 'retrieved' WHERE basis = 'updated';
      ALTER TABLE held_deliveries DROP CONSTRAINT held_deliveries_basis_check,
        ADD CONSTRAINT held_deliveries_basis_check CHECK (basis IN ('released', 'retrieved'))`);
  }
}
