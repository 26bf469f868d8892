import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Withheld sources that a publisher's file declares as its origin, for one series or for all series of an indicator.
 * The declaration outlives its import, so that a series created later is withheld too.
 */
export class NotedOrigins1795305700000 implements MigrationInterface {
  readonly name = 'NotedOrigins1795305700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE noted_origins (
        indicator text REFERENCES indicators ON DELETE CASCADE,
        region text REFERENCES regions,
        instrument text REFERENCES instruments ON DELETE CASCADE,
        source_id text NOT NULL REFERENCES sources,
        UNIQUE NULLS NOT DISTINCT (indicator, region, instrument, source_id),
        CHECK ((indicator IS NULL) <> (instrument IS NULL))
      );
      GRANT SELECT, INSERT, DELETE ON noted_origins TO tidemark_import;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE noted_origins');
  }
}
