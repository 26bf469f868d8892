import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Companies are found by the search documents, whose names are keys in the order of their ranks; other names of
 * entities are kept. The next publication writes the keys and the ranks.
 */
export class CompanyRanks1795356000000 implements MigrationInterface {
  readonly name = 'CompanyRanks1795356000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
ALTER TABLE entities ADD COLUMN other_names text[] NOT NULL DEFAULT '{}';
ALTER TABLE companies
  DROP COLUMN words,
  -- The number of entities in its accounts, direct or ultimate.
  ADD COLUMN consolidated integer NOT NULL DEFAULT 0,
  ADD COLUMN rank smallint NOT NULL DEFAULT 35 CHECK (rank BETWEEN 0 AND 100);
DROP TABLE company_words;

ALTER TABLE search_names
  ADD COLUMN rank smallint NOT NULL DEFAULT 0,
  -- The name without the legal form of a company, or in the singular.
  ADD COLUMN loose boolean NOT NULL DEFAULT false;
ALTER TABLE search_names ALTER COLUMN rank DROP DEFAULT, ALTER COLUMN loose DROP DEFAULT, DROP CONSTRAINT search_names_pkey,
  ADD CONSTRAINT search_names_pkey PRIMARY KEY (name, rank, document);

CREATE OR REPLACE FUNCTION analyze_register() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE entities, relations, relation_vintages, registrants, company_tickers, companies;
END $$;
`;

const DOWN = `
CREATE TABLE company_words (
  word text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  source_id text NOT NULL,
  PRIMARY KEY (word, folded_name, slug)
);
CREATE INDEX company_words_slug ON company_words (slug);
ALTER TABLE company_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_company_words ON company_words FOR SELECT TO tidemark_api
  USING (source_id IN (SELECT s.id FROM sources s));
CREATE POLICY import_company_words ON company_words TO tidemark_import USING (true) WITH CHECK (true);
GRANT SELECT ON company_words TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON company_words TO tidemark_import;

CREATE OR REPLACE FUNCTION analyze_register() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE entities, relations, relation_vintages, registrants, company_tickers, companies, company_words;
END $$;

ALTER TABLE search_names DROP CONSTRAINT search_names_pkey, DROP COLUMN rank, DROP COLUMN loose;
ALTER TABLE search_names ADD CONSTRAINT search_names_pkey PRIMARY KEY (name, document);
ALTER TABLE companies DROP COLUMN rank, DROP COLUMN consolidated, ADD COLUMN words text NOT NULL DEFAULT '';
ALTER TABLE companies ALTER COLUMN words DROP DEFAULT;
ALTER TABLE entities DROP COLUMN other_names;
`;
