import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which periods of a series each data version changed, for `publishedSince`; whether a vintage brought anything new;
 * and a data version for each indicator, instrument and source, and for the catalogue, beside those of families.
 */
export class SeriesVersions1795383900000 implements MigrationInterface {
  readonly name = 'SeriesVersions1795383900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE series_versions (
        series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
        data_version integer NOT NULL REFERENCES publications,
        first_period text COLLATE "C" NOT NULL,
        last_period text COLLATE "C" NOT NULL,
        PRIMARY KEY (series_id, data_version)
      );
      INSERT INTO series_versions
        SELECT series_id, data_version, min(period), max(period) FROM observations GROUP BY series_id, data_version;
      ALTER TABLE series_versions ENABLE ROW LEVEL SECURITY;
      CREATE POLICY api_series_versions ON series_versions FOR SELECT TO tidemark_api
        USING (EXISTS (SELECT FROM series s WHERE s.id = series_id));
      CREATE POLICY import_series_versions ON series_versions TO tidemark_import USING (true) WITH CHECK (true);
      GRANT SELECT ON series_versions TO tidemark_api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON series_versions TO tidemark_import;

      ALTER TABLE series_vintages ADD COLUMN changed boolean NOT NULL DEFAULT true;

      INSERT INTO resource_families (family, data_version)
        SELECT DISTINCT coalesce('macro/' || s.indicator, 'markets/' || s.instrument), f.data_version
        FROM series s JOIN resource_families f ON f.family = CASE WHEN s.instrument IS NULL THEN 'macro' ELSE 'markets' END
        WHERE NOT s.withheld
        UNION ALL SELECT 'catalogue', max(data_version) FROM resource_families HAVING count(*) > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM resource_families WHERE family = 'catalogue' OR family LIKE '%/%';
      ALTER TABLE series_vintages DROP COLUMN changed;
      DROP TABLE series_versions`);
  }
}
