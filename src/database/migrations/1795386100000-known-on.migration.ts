import type { QueryRunner } from 'typeorm';
import type { ReleaseMigration } from '../release-migration.js';

/** The validity of a stored row on a day, which so many queries ask for. */
export class KnownOn1795386100000 implements ReleaseMigration {
  readonly name = 'KnownOn1795386100000';
  readonly locks = [];
  readonly serves = '0.1.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Whether a row of observations or relations was known at the end of a day. The planner puts the body in place of
      -- the call, so that an index on the columns serves it.
      CREATE FUNCTION known_on(day date, valid_from date, valid_to date) RETURNS boolean
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT valid_from <= day AND (valid_to IS NULL OR valid_to > day)
      $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION known_on');
  }
}
