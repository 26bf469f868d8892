import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = (names: string): string => `
  ALTER TABLE publications DROP CONSTRAINT revisions_kind_check;
  ALTER TABLE publications ADD CONSTRAINT revisions_kind_check CHECK (kind IN (${names}));`;

/**
 * Each publication notes which words and rules rendered the stored texts; NULL: several, or unknown. A publication of
 * the kind `rendering` renders them all again. Changes with new texts are listed under `publishedSince`.
 */
export class RenderedTexts1795379000000 implements MigrationInterface {
  readonly name = 'RenderedTexts1795379000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE publications ADD COLUMN rendered_by text;
      ${kinds(`'import','backfill','replace','withdrawal','source_withheld','rendering'`)}
      DROP INDEX changes_amended;
      CREATE INDEX changes_amended ON changes (updated_at) WHERE updated_at > published_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE publications SET kind = 'import' WHERE kind = 'rendering';
      ${kinds(`'import','backfill','replace','withdrawal','source_withheld'`)}
      ALTER TABLE publications DROP COLUMN rendered_by;
      DROP INDEX changes_amended;
      CREATE INDEX changes_amended ON changes (updated_at) WHERE status <> 'verified'`);
  }
}
