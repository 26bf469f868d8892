import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (names: string): string => `
  ALTER TABLE publications DROP CONSTRAINT revisions_kind_check;
  ALTER TABLE publications ADD CONSTRAINT revisions_kind_check CHECK (kind IN (${names}));`;

/** A publication of the kind `retraction` takes an import back. */
export class Retractions1795380100000 implements MigrationInterface {
  readonly name = 'Retractions1795380100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      kinds(`'import','backfill','replace','withdrawal','source_withheld','rendering','retraction'`),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE publications SET kind = 'withdrawal' WHERE kind = 'retraction';
      ${kinds(`'import','backfill','replace','withdrawal','source_withheld','rendering'`)}`);
  }
}
