import type { QueryRunner } from 'typeorm';
import { ReleaseMigration } from '../release-migration.js';

/** Entities of a register wait in quarantine as series do. */
export class WaitingEntities1799100000000 extends ReleaseMigration {
  readonly name = 'WaitingEntities1799100000000';
  readonly locks = ['quarantined_series'];
  readonly serves = '0.2.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE quarantined_series DROP CONSTRAINT quarantined_series_pkey,
        ALTER COLUMN series_id DROP NOT NULL, ALTER COLUMN first_period DROP NOT NULL,
        ALTER COLUMN last_period DROP NOT NULL, ADD COLUMN IF NOT EXISTS entity text,
        ADD CONSTRAINT quarantined_series_subject CHECK (num_nonnulls(series_id, entity) = 1),
        ADD CONSTRAINT quarantined_series_once UNIQUE NULLS NOT DISTINCT (delivery_id, series_id, entity);
      DROP POLICY api_quarantined_series ON quarantined_series;
      CREATE POLICY api_quarantined_series ON quarantined_series FOR SELECT TO tidemark_api
        USING (EXISTS (SELECT FROM series s WHERE s.id = series_id) OR EXISTS (
          SELECT FROM entities e WHERE e.lei = entity OR e.cik = substring(entity FROM '^CIK (\\d+)$')::integer));
      GRANT SELECT (entity) ON quarantined_series TO tidemark_api`);
  }
}
