import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A series' own page at its publisher; the next import writes them. */
export class SeriesUrls1795352000000 implements MigrationInterface {
  readonly name = 'SeriesUrls1795352000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE indicators ADD COLUMN series_url text;
      ALTER TABLE instruments ADD COLUMN series_url text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE instruments DROP COLUMN series_url;
      ALTER TABLE indicators DROP COLUMN series_url`);
  }
}
