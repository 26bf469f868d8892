import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keys of companies are written by the tens of thousands, with the company and in one place, and read by a join with
 * it: checking each against its company and its source cost three times what writing it does. A source that does not
 * exist hides the row, as row-level security asks for one that does. Companies are never deleted.
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
