import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes as responses show them, one document in each language. Rendering the stored texts again, which follows the
 * migrations, fills the table.
 */
export class ChangeDocuments1795385100000 implements MigrationInterface {
  readonly name = 'ChangeDocuments1795385100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_documents (
        position bigint PRIMARY KEY REFERENCES changes (position) ON DELETE CASCADE,
        en text NOT NULL,
        zh text NOT NULL,
        ja text NOT NULL,
        -- What the documents cite: sources, the series with a page at its publisher, periods of figures.
        sources text[] NOT NULL,
        subject text,
        periods text[] NOT NULL
      );
      -- Compressed in the row: a page reads the rows of one range, and decompresses one language.
      ALTER TABLE change_documents
        ALTER en SET STORAGE MAIN, ALTER zh SET STORAGE MAIN, ALTER ja SET STORAGE MAIN;
      ALTER TABLE change_documents ENABLE ROW LEVEL SECURITY;
      -- A statement reads the sources once, and those that are withheld are hidden from it.
      CREATE POLICY api_change_documents ON change_documents FOR SELECT TO tidemark_api
        USING (sources <@ ARRAY(SELECT s.id FROM sources s));
      CREATE POLICY import_change_documents ON change_documents TO tidemark_import USING (true) WITH CHECK (true);
      GRANT SELECT ON change_documents TO tidemark_api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON change_documents TO tidemark_import`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE change_documents');
  }
}
