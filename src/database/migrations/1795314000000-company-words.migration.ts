import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drops the foreign keys of `company_words`: one import writes tens of thousands of its rows, together with their
 * companies, and checking each against company and source took three times as long as writing it. Readers join the
 * company, and row-level security hides a row whose source does not exist. Companies are never deleted.
 */
export class CompanyWords1795314000000 implements MigrationInterface {
  readonly name = 'CompanyWords1795314000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE company_words DROP CONSTRAINT company_words_slug_fkey, DROP CONSTRAINT company_words_source_id_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE company_words
        ADD CONSTRAINT company_words_slug_fkey FOREIGN KEY (slug) REFERENCES companies ON DELETE CASCADE,
        ADD CONSTRAINT company_words_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources`);
  }
}
