-- Legal entities and their consolidation, as registers state them, and the companies made from them. Rows of a withheld
-- source stay but are hidden: slugs and ids are permanent.

-- A legal entity as a register names it, in the register's own language.
CREATE TABLE entities (
  id text PRIMARY KEY CHECK (id ~ '^ent_[A-Za-z0-9_-]{1,60}$'),
  lei text UNIQUE CHECK (lei ~ '^[A-Z0-9]{18}[0-9]{2}$'),
  cik integer UNIQUE CHECK (cik > 0),
  -- Null marks the end of a relation that no imported register describes.
  name text CHECK (btrim(name) <> ''),
  name_language text,
  type text NOT NULL CHECK (type ~ '^[a-z_]{1,40}$'),
  country text REFERENCES regions,
  status text NOT NULL CHECK (status IN ('active','inactive','unknown')),
  source_id text NOT NULL REFERENCES sources,
  jurisdiction text,
  -- The name for comparison with another register; null if it must not be compared.
  match_name text,
  -- The newest vintage that described it.
  known_on date,
  -- The newest publication that changed its description.
  data_version integer REFERENCES publications,
  other_names text[] NOT NULL DEFAULT '{}',
  -- The vintage whose statement the row shows; a later vintage may have confirmed it (known_on).
  stated_on date,
  CONSTRAINT entities_identifier CHECK (lei IS NOT NULL OR cik IS NOT NULL),
  CONSTRAINT entities_named CHECK ((name IS NULL) = (type = 'unknown')),
  -- Refused: white space other than a plain space, control characters, line separators, format characters, tags.
  CONSTRAINT entities_name_one_line CHECK (name !~ '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e00ff]')
);
CREATE INDEX entities_match ON entities (match_name) WHERE match_name IS NOT NULL;
CREATE INDEX entities_data_version ON entities (data_version);
CREATE INDEX entities_stated ON entities (stated_on);

-- Every statement about an entity of which there are several, so that a wrong delivery can be taken back; of the others,
-- the entity itself is the only one.
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

-- The days on which a register was read, and whether the register states the day itself.
CREATE TABLE register_vintages (
  source_id text NOT NULL REFERENCES sources,
  day date NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','updated','retrieved')),
  data_version integer NOT NULL REFERENCES publications,
  -- Whether it brought anything new.
  changed boolean NOT NULL,
  PRIMARY KEY (source_id, day)
);

-- The parent consolidates the accounts of the child. One row per distinct statement, valid from vintage valid_from up
-- to but not including valid_to; a relation without an open row has ended.
CREATE TABLE relations (
  child text NOT NULL REFERENCES entities ON DELETE CASCADE,
  parent text NOT NULL REFERENCES entities ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('direct','ultimate')),
  valid_from date NOT NULL,
  valid_to date,
  -- As the register states them.
  since date,
  until date,
  -- The newest vintage that stated it.
  seen_on date NOT NULL,
  -- Imported after a newer one: it never makes a change.
  backfilled boolean NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  data_version integer NOT NULL REFERENCES publications,
  PRIMARY KEY (child, parent, kind, valid_from),
  CONSTRAINT relations_validity CHECK (valid_to > valid_from),
  CONSTRAINT relations_ends CHECK (child <> parent)
);
CREATE UNIQUE INDEX relations_upward ON relations (child, kind, parent) WHERE valid_to IS NULL;
CREATE UNIQUE INDEX relations_downward ON relations (parent, kind, child) WHERE valid_to IS NULL;
CREATE INDEX relations_begun ON relations (valid_from);
CREATE INDEX relations_ended ON relations (valid_to) WHERE valid_to IS NOT NULL;
CREATE INDEX relations_data_version ON relations (data_version);

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
  data_version integer NOT NULL REFERENCES publications,
  PRIMARY KEY (anchor, side, kind, day),
  CONSTRAINT relation_vintages_statement CHECK ((side = 'children') = (stated IS NOT NULL))
);

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
  data_version integer NOT NULL REFERENCES publications,
  CONSTRAINT registrants_name_one_line CHECK (name !~ '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e00ff]')
);
CREATE INDEX registrants_match ON registrants (match_name) WHERE match_name IS NOT NULL;

CREATE TABLE company_tickers (
  cik integer NOT NULL REFERENCES registrants ON DELETE CASCADE,
  ticker text NOT NULL CHECK (ticker ~ '^[A-Z0-9.-]{1,16}$'),
  ordinal smallint NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  PRIMARY KEY (cik, ticker)
);

-- Active legal entities with an LEI or a CIK. A slug is never assigned to another one.
CREATE TABLE companies (
  slug text COLLATE "C" PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
  entity_id text NOT NULL UNIQUE REFERENCES entities ON DELETE CASCADE,
  listed boolean NOT NULL,
  -- The sort key of the list.
  folded_name text COLLATE "C" NOT NULL,
  ticker_source text REFERENCES sources,
  country text REFERENCES regions,
  source_id text NOT NULL REFERENCES sources,
  -- The publishing transaction counts, so that no reader has to.
  subsidiaries integer NOT NULL DEFAULT 0,
  changes integer NOT NULL DEFAULT 0,
  -- The number of entities in its accounts, direct or ultimate.
  consolidated integer NOT NULL DEFAULT 0,
  rank smallint NOT NULL DEFAULT 35 CHECK (rank BETWEEN 0 AND 100),
  -- The newest publication that changed what a list shows of it.
  data_version integer REFERENCES publications
);
CREATE INDEX companies_name ON companies (folded_name, slug) WHERE listed;
CREATE INDEX companies_country ON companies (country, folded_name, slug) WHERE listed;
CREATE INDEX companies_data_version ON companies (data_version) WHERE listed;
