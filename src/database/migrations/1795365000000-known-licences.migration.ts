import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A source names a licence of the licence table (src/sources/licences.ts), whose sentences are shown with its figures. */
export class KnownLicences1795365000000 implements MigrationInterface {
  readonly name = 'KnownLicences1795365000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE sources SET licence = 'bls-terms' WHERE id = 'bls';
      UPDATE sources SET licence = 'eia-terms' WHERE id = 'eia';
      UPDATE sources SET notice = NULL WHERE licence = 'estat-terms';
      ALTER TABLE sources ADD CONSTRAINT sources_licence_check CHECK (licence IN (
        'cc-by-4.0', 'cc0-1.0', 'bis-terms', 'us-public-domain', 'bls-terms', 'eia-terms', 'estat-terms', 'ecb-reuse'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sources DROP CONSTRAINT sources_licence_check;
      UPDATE sources SET licence = 'us-public-domain' WHERE licence IN ('bls-terms', 'eia-terms')`);
  }
}
