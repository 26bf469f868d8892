import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What registers stated of an entity on earlier days, so that a wrong delivery can be taken back. */
export class EntityStatements1795382600000 implements MigrationInterface {
  readonly name = 'EntityStatements1795382600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE entities
        -- The vintage whose statement the row shows; a later vintage may have confirmed it (known_on).
        ADD COLUMN stated_on date;
      UPDATE entities e SET stated_on = coalesce(
        (SELECT p.vintage_day FROM publications p WHERE p.data_version = e.data_version), known_on)
        WHERE name IS NOT NULL;
      CREATE INDEX entities_stated ON entities (stated_on);

      -- Every statement about an entity of which there are several; of the others, the entity itself is the only one.
      CREATE TABLE entity_statements (
        entity_id text NOT NULL REFERENCES entities ON DELETE CASCADE,
        stated_on date NOT NULL,
        source_id text NOT NULL REFERENCES sources,
        lei text,
        name text NOT NULL,
        -- As stated; the entity also has its earlier names.
        other_names text[] NOT NULL,
        name_language text,
        type text NOT NULL,
        country text REFERENCES regions,
        jurisdiction text,
        status text NOT NULL,
        match_name text,
        PRIMARY KEY (entity_id, stated_on, source_id)
      );
      CREATE INDEX entity_statements_day ON entity_statements (stated_on);
      ALTER TABLE entity_statements ENABLE ROW LEVEL SECURITY;
      CREATE POLICY import_entity_statements ON entity_statements TO tidemark_import USING (true) WITH CHECK (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON entity_statements TO tidemark_import;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE entity_statements; ALTER TABLE entities DROP COLUMN stated_on');
  }
}
