import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Legal entities and their consolidation, as registers state them, and the companies made from them. Rows of a withheld
 * source stay but are hidden: slugs and ids are permanent.
 */
export class Register1795308000000 implements MigrationInterface {
  readonly name = 'Register1795308000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ENTITIES);
    await runner.query(RELATIONS);
    await runner.query(REGISTRANTS);
    await runner.query(COMPANIES);
    await runner.query(RIGHTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Slugs and ids are kept for ever: restore a backup instead'));
  }
}

const ENTITIES = `
ALTER TABLE entities
  -- Null marks the end of a relation that no imported register describes.
  ALTER COLUMN name DROP NOT NULL,
  ADD COLUMN jurisdiction text,
  -- The name for comparison with another register; null if it must not be compared.
  ADD COLUMN match_name text,
  -- The newest vintage that described it.
  ADD COLUMN known_on date,
  -- The newest revision that changed its description.
  ADD COLUMN revision_id integer REFERENCES revisions,
  ADD CONSTRAINT entities_named CHECK ((name IS NULL) = (type = 'unknown'));
CREATE INDEX entities_match ON entities (match_name) WHERE match_name IS NOT NULL;
CREATE INDEX entities_revision ON entities (revision_id);
`;

const RELATIONS = `
-- The days on which a register was read, and whether the register states the day itself.
CREATE TABLE register_vintages (
  source_id text NOT NULL REFERENCES sources,
  day date NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','retrieved')),
  revision_id integer NOT NULL REFERENCES revisions,
  PRIMARY KEY (source_id, day)
);

-- The parent consolidates the accounts of the child. One row per distinct statement, valid from vintage valid_from up
-- to but not including valid_to; a relation without an open row has ended.
CREATE TABLE relations (
  child text NOT NULL REFERENCES entities ON DELETE CASCADE,
  parent text NOT NULL REFERENCES entities ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('direct','ultimate')),
  valid_from date NOT NULL,
  valid_to date CHECK (valid_to > valid_from),
  -- As the register states them.
  since date,
  until date,
  -- The newest vintage that stated it.
  seen_on date NOT NULL,
  -- Imported after a newer one: it never makes a change.
  backfilled boolean NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  revision_id integer NOT NULL REFERENCES revisions,
  PRIMARY KEY (child, parent, kind, valid_from),
  CHECK (child <> parent)
);
CREATE UNIQUE INDEX relations_upward ON relations (child, kind, parent) WHERE valid_to IS NULL;
CREATE UNIQUE INDEX relations_downward ON relations (parent, kind, child) WHERE valid_to IS NULL;
CREATE INDEX relations_begun ON relations (valid_from);
CREATE INDEX relations_ended ON relations (valid_to) WHERE valid_to IS NOT NULL;
CREATE INDEX relations_revision ON relations (revision_id);

-- What a vintage covered: all children of a parent, with the number given and the number stated, or all parents of a
-- child. In complete coverage, absence means that there is none.
CREATE TABLE relation_vintages (
  anchor text NOT NULL REFERENCES entities ON DELETE CASCADE,
  side text NOT NULL CHECK (side IN ('children','parents')),
  kind text NOT NULL CHECK (kind IN ('direct','ultimate')),
  day date NOT NULL,
  given integer NOT NULL,
  stated integer,
  complete boolean NOT NULL GENERATED ALWAYS AS (side = 'parents' OR given >= stated) STORED,
  backfilled boolean NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  revision_id integer NOT NULL REFERENCES revisions,
  PRIMARY KEY (anchor, side, kind, day),
  CHECK ((side = 'children') = (stated IS NOT NULL))
);
`;

const REGISTRANTS = `
-- Registrants of a securities regulator, with the tickers of their shares.
CREATE TABLE registrants (
  cik integer PRIMARY KEY CHECK (cik > 0),
  entity_id text NOT NULL UNIQUE REFERENCES entities ON DELETE CASCADE,
  name text NOT NULL,
  match_name text,
  -- Whether the newest list contains it.
  listed boolean NOT NULL,
  known_on date NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  revision_id integer NOT NULL REFERENCES revisions
);
CREATE INDEX registrants_match ON registrants (match_name) WHERE match_name IS NOT NULL;

CREATE TABLE company_tickers (
  cik integer NOT NULL REFERENCES registrants ON DELETE CASCADE,
  ticker text NOT NULL CHECK (ticker ~ '^[A-Z0-9.-]{1,16}$'),
  ordinal smallint NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  PRIMARY KEY (cik, ticker)
);
`;

const COMPANIES = `
-- Active legal entities with an LEI or a CIK. A slug is never assigned to another one.
CREATE TABLE companies (
  slug text COLLATE "C" PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
  entity_id text NOT NULL UNIQUE REFERENCES entities ON DELETE CASCADE,
  listed boolean NOT NULL,
  -- The sort key of the list.
  folded_name text COLLATE "C" NOT NULL,
  -- The folded words of the name and the tickers, each after a space.
  words text NOT NULL,
  ticker_source text REFERENCES sources,
  country text REFERENCES regions,
  source_id text NOT NULL REFERENCES sources,
  -- The publishing transaction counts, so that no reader has to.
  subsidiaries integer NOT NULL DEFAULT 0,
  changes integer NOT NULL DEFAULT 0
);
CREATE INDEX companies_name ON companies (folded_name, slug) WHERE listed;
CREATE INDEX companies_country ON companies (country, folded_name, slug) WHERE listed;

-- The first two to four characters of each word: a query is one range of this, in the order of the list.
CREATE TABLE company_words (
  word text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL REFERENCES companies ON DELETE CASCADE,
  source_id text NOT NULL REFERENCES sources,
  PRIMARY KEY (word, folded_name, slug)
);
CREATE INDEX company_words_slug ON company_words (slug);

-- Only an owner may refresh the planner's statistics, and only an import knows when that is necessary.
CREATE FUNCTION analyze_register() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE entities, relations, relation_vintages, registrants, company_tickers, companies, company_words;
END $$;
`;

/** Readers see few sources, and each statement evaluates the subquery once. */
const SECURED = [
  'entities',
  'register_vintages',
  'relations',
  'relation_vintages',
  'registrants',
  'company_tickers',
  'companies',
  'company_words',
];

const RIGHTS = `
${SECURED.map(
  (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_${table} ON ${table} FOR SELECT TO tidemark_api
  USING (source_id IN (SELECT s.id FROM sources s));
CREATE POLICY import_${table} ON ${table} TO tidemark_import USING (true) WITH CHECK (true);`,
).join('\n')}
GRANT SELECT ON register_vintages, relations, relation_vintages, registrants, company_tickers, companies,
  company_words TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON register_vintages, relations, relation_vintages, registrants,
  company_tickers, companies, company_words TO tidemark_import;
REVOKE EXECUTE ON FUNCTION analyze_register() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_register() TO tidemark_import;
`;
