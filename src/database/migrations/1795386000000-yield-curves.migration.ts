import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The yield curve of a maturity, which the next import writes: briefs tell its moves in one sentence. */
export class YieldCurves1795386000000 implements MigrationInterface {
  readonly name = 'YieldCurves1795386000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instruments ADD COLUMN curve jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instruments DROP COLUMN curve');
  }
}
