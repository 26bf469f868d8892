import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Licences are entries of the catalogue, to which an operator adds: the check of the catalogue knows which exist. */
export class OwnLicences1795382000000 implements MigrationInterface {
  readonly name = 'OwnLicences1795382000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP CONSTRAINT sources_licence_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sources ADD CONSTRAINT sources_licence_check CHECK (licence IN (
        'cc-by-4.0', 'cc0-1.0', 'bis-terms', 'us-public-domain', 'bls-terms', 'eia-terms', 'estat-terms', 'ecb-reuse'))`);
  }
}
