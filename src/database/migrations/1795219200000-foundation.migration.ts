import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Content (sources, series, observations, changes), access (accounts, keys, usage), and the two roles that separate
 * them. Invariants are constraints, so that no code path can break them.
 */
export class Foundation1795219200000 implements MigrationInterface {
  readonly name = 'Foundation1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROLES);
    await runner.query(CONTENT);
    await runner.query(CHANGES);
    await runner.query(ACCESS);
    await runner.query(RIGHTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('The foundation has nothing below it: drop the database instead'));
  }
}

// Roles belong to the whole cluster: another database or the operator may have created them.
const ROLES = `
DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['tidemark_api', 'tidemark_import'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO %I', wanted, current_user);
    END IF;
  END LOOP;
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO tidemark_api, tidemark_import;
`;

const CONTENT = `
-- A text for people: the row is refused unless it has all three languages.
CREATE DOMAIN localized AS jsonb CHECK (
  VALUE IS NULL OR (
    coalesce(btrim(VALUE ->> 'en') <> '', false) AND
    coalesce(btrim(VALUE ->> 'zh') <> '', false) AND
    coalesce(btrim(VALUE ->> 'ja') <> '', false)));

CREATE TABLE sources (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  publisher localized NOT NULL,
  url text NOT NULL,
  level text NOT NULL CHECK (level IN ('primary','regulator','company','institutional','media','derived','community')),
  licence text NOT NULL,
  attribution localized NOT NULL,
  notice localized,
  withheld boolean NOT NULL DEFAULT false,
  retrieved_on date
);

CREATE TABLE revisions (
  id integer PRIMARY KEY,
  published_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('import','backfill','replace','withdrawal','source_withheld')),
  description text NOT NULL,
  vintage_day date,
  counts jsonb NOT NULL DEFAULT '{}'
);

-- The newest revision that changed the responses of a family of resources.
CREATE TABLE resource_families (
  family text PRIMARY KEY,
  revision_id integer NOT NULL REFERENCES revisions
);

CREATE TABLE regions (
  code text PRIMARY KEY CHECK (code ~ '^[A-Z0-9]{2,3}$'),
  alpha3 text UNIQUE,
  kind text NOT NULL CHECK (kind IN ('country','aggregate')),
  name localized NOT NULL,
  weight smallint NOT NULL CHECK (weight BETWEEN 0 AND 100),
  board_order smallint
);

CREATE TABLE coverage_domains (
  key text PRIMARY KEY CHECK (key ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  description localized NOT NULL,
  ordinal smallint NOT NULL,
  -- The publishing transaction counts, as of the newest data day, so that no reader has to.
  changes_7 integer NOT NULL DEFAULT 0,
  changes_30 integer NOT NULL DEFAULT 0,
  changes_total integer NOT NULL DEFAULT 0,
  latest_change_at timestamptz
);

CREATE TABLE topics (
  slug text PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  description localized NOT NULL,
  ordinal smallint NOT NULL,
  changes_7 integer NOT NULL DEFAULT 0,
  changes_30 integer NOT NULL DEFAULT 0,
  changes_total integer NOT NULL DEFAULT 0,
  latest_change_at timestamptz
);

CREATE TABLE topic_coverage (
  topic text NOT NULL REFERENCES topics ON DELETE CASCADE,
  coverage text NOT NULL REFERENCES coverage_domains,
  PRIMARY KEY (topic, coverage)
);

CREATE TABLE indicators (
  slug text PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
  provider text NOT NULL,
  provider_code text NOT NULL,
  unit text NOT NULL,
  frequency text NOT NULL CHECK (frequency IN ('A','H','Q','M','W','D')),
  seasonal_adjustment text,
  price_basis text,
  base_year smallint,
  name localized NOT NULL,
  short_name localized NOT NULL,
  description localized NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  on_board boolean NOT NULL,
  ordinal smallint NOT NULL,
  UNIQUE (provider, provider_code)
);

CREATE TABLE indicator_coverage (
  indicator text NOT NULL REFERENCES indicators ON DELETE CASCADE,
  coverage text NOT NULL REFERENCES coverage_domains,
  PRIMARY KEY (indicator, coverage)
);

CREATE TABLE indicator_topics (
  indicator text NOT NULL REFERENCES indicators ON DELETE CASCADE,
  topic text NOT NULL REFERENCES topics,
  PRIMARY KEY (indicator, topic)
);

CREATE TABLE series (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  indicator text NOT NULL REFERENCES indicators,
  region text NOT NULL REFERENCES regions,
  source_id text NOT NULL REFERENCES sources,
  -- The sources that the publisher itself cites.
  origins text[] NOT NULL DEFAULT '{}',
  withheld boolean NOT NULL,
  -- The vintage of the first import: figures of this or an earlier vintage make no change.
  baseline_day date NOT NULL,
  UNIQUE (indicator, region),
  UNIQUE (id, source_id, withheld)
);
CREATE INDEX series_region ON series (region);

-- The stored vintages of a series, and the periods that each of them covers.
CREATE TABLE series_vintages (
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  day date NOT NULL,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','retrieved')),
  -- Imported after a newer vintage: it completes the history and never makes a change.
  backfilled boolean NOT NULL DEFAULT false,
  revision_id integer NOT NULL REFERENCES revisions,
  PRIMARY KEY (series_id, day)
);

-- What a vintage covered of series that did not exist then: of one region, or of all (null). A series that is created
-- later takes over these vintages, so that the stored content does not depend on the order of imports.
CREATE TABLE spoken_vintages (
  indicator text NOT NULL REFERENCES indicators ON DELETE CASCADE,
  region text REFERENCES regions,
  day date NOT NULL,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','retrieved')),
  revision_id integer NOT NULL REFERENCES revisions,
  UNIQUE NULLS NOT DISTINCT (indicator, region, day)
);

-- One row per distinct value of a period, valid from vintage valid_from up to but not including valid_to. A period
-- without an open row was withdrawn by its source. The numeric keeps the printed scale.
CREATE TABLE observations (
  series_id integer NOT NULL,
  period text COLLATE "C" NOT NULL,
  valid_from date NOT NULL,
  valid_to date CHECK (valid_to > valid_from),
  value numeric NOT NULL,
  source_id text NOT NULL,
  withheld boolean NOT NULL,
  revision_id integer NOT NULL,
  PRIMARY KEY (series_id, period, valid_from),
  FOREIGN KEY (series_id, source_id, withheld) REFERENCES series (id, source_id, withheld) ON UPDATE CASCADE
);
CREATE UNIQUE INDEX observations_current ON observations (series_id, period) WHERE valid_to IS NULL;

-- A trigger sets "withheld" from the source and its origins; nothing else does.
CREATE FUNCTION series_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(NEW.origins) AS o(id) WHERE o.id NOT IN (SELECT s.id FROM sources s)) THEN
    RAISE EXCEPTION 'a series names an origin that is no source: %', NEW.origins USING ERRCODE = 'foreign_key_violation';
  END IF;
  NEW.withheld := EXISTS (
    SELECT 1 FROM sources s WHERE s.withheld AND (s.id = NEW.source_id OR s.id = ANY (NEW.origins)));
  RETURN NEW;
END $$;
CREATE TRIGGER series_withheld BEFORE INSERT OR UPDATE ON series
  FOR EACH ROW EXECUTE FUNCTION series_withheld();

CREATE FUNCTION sources_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE series SET source_id = source_id WHERE source_id = NEW.id OR NEW.id = ANY (origins);
  RETURN NULL;
END $$;
CREATE TRIGGER sources_withheld AFTER UPDATE OF withheld ON sources
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION sources_withheld();

-- Only an owner may refresh the planner's statistics, and only an import knows when that is necessary.
CREATE FUNCTION analyze_content() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE series, series_vintages, observations, change_regions, change_coverage, change_topics,
    changes (id, position, kind, status, occurred_at, published_at, updated_at, series_id, vintage_day);
END $$;

-- Derivation may read only these.
CREATE VIEW derivable_series WITH (security_invoker = true) AS SELECT * FROM series WHERE NOT withheld;
CREATE VIEW derivable_observations WITH (security_invoker = true) AS SELECT * FROM observations WHERE NOT withheld;
`;

const CHANGES = `
CREATE TABLE changes (
  id text PRIMARY KEY CHECK (id ~ '^chg_[A-Za-z0-9_-]{1,60}$'),
  position bigint NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('release','revision','move','decision','structure')),
  status text NOT NULL CHECK (status IN ('verified','corrected','withdrawn')),
  evidence_class text NOT NULL CHECK (evidence_class IN ('fact','supported')),
  headline localized NOT NULL,
  summary localized NOT NULL,
  importance smallint NOT NULL CHECK (importance BETWEEN 0 AND 100),
  occurred_at timestamptz NOT NULL,
  occurred_precision text NOT NULL CHECK (occurred_precision IN ('day','instant')),
  occurred_basis text NOT NULL CHECK (occurred_basis IN ('released','retrieved','observed')),
  published_at timestamptz NOT NULL,
  -- The time of the newest publication: the first one, or the newest correction.
  updated_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  revision_id integer NOT NULL REFERENCES revisions,
  source_id text NOT NULL REFERENCES sources,
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  period text COLLATE "C" NOT NULL,
  vintage_day date NOT NULL,
  actual_value numeric NOT NULL,
  previous_value numeric,
  previous_period text COLLATE "C" NOT NULL,
  previous_basis text NOT NULL CHECK (previous_basis IN ('period','vintage')),
  previous_missing text CHECK (previous_missing IN ('not_published','withdrawn_by_source','awaited','not_in_source')),
  previous_known_since date,
  delta numeric,
  delta_percent numeric,
  CHECK ((previous_value IS NULL) = (previous_missing IS NOT NULL)),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL))
);
CREATE INDEX changes_kind ON changes (kind, position);
CREATE INDEX changes_status ON changes (status, position) WHERE status <> 'verified';
CREATE INDEX changes_occurred ON changes (occurred_at);
CREATE INDEX changes_updated ON changes (updated_at);
CREATE INDEX changes_series ON changes (series_id, vintage_day);

CREATE TABLE change_corrections (
  change_id text NOT NULL REFERENCES changes ON DELETE CASCADE,
  revision_id integer NOT NULL REFERENCES revisions,
  corrected_at timestamptz NOT NULL,
  actual_value numeric NOT NULL,
  previous_value numeric,
  PRIMARY KEY (change_id, revision_id)
);

-- Keyed by (filter, position): a filtered page is one descending index range.
CREATE TABLE change_regions (
  region text NOT NULL REFERENCES regions,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (region, position)
);
CREATE TABLE change_coverage (
  coverage text NOT NULL REFERENCES coverage_domains,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (coverage, position)
);
CREATE TABLE change_topics (
  topic text NOT NULL REFERENCES topics,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (topic, position)
);
CREATE INDEX change_regions_position ON change_regions (position);
CREATE INDEX change_coverage_position ON change_coverage (position);
CREATE INDEX change_topics_position ON change_topics (position);
`;

const ACCESS = `
CREATE TABLE accounts (
  id text PRIMARY KEY CHECK (id ~ '^acc_[A-Za-z0-9_-]{1,60}$'),
  email text NOT NULL CHECK (email = lower(email)),
  plan text NOT NULL CHECK (plan IN ('free','pro','intelligence','developer')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','suspended')),
  signed_up_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (email)
);

CREATE TABLE api_keys (
  id text PRIMARY KEY CHECK (id ~ '^key_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL,
  -- A keyed hash; the key itself is not stored.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  pepper_id text NOT NULL,
  prefix text NOT NULL CHECK (char_length(prefix) = 8),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE daily_usage (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  day date NOT NULL,
  admitted integer NOT NULL CHECK (admitted >= 0),
  PRIMARY KEY (account_id, day)
);

-- Moves with every change of an account or a key: instances poll it, to know when to drop their cached identities.
CREATE TABLE access_epoch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  epoch bigint NOT NULL
);
INSERT INTO access_epoch (epoch) VALUES (1);

CREATE FUNCTION advance_access_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE access_epoch SET epoch = epoch + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_epoch AFTER INSERT OR UPDATE OR DELETE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_epoch();
CREATE TRIGGER api_keys_epoch AFTER INSERT OR UPDATE OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_epoch();
`;

const RIGHTS = `
ALTER TABLE sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE series ENABLE ROW LEVEL SECURITY;
ALTER TABLE series_vintages ENABLE ROW LEVEL SECURITY;
ALTER TABLE observations ENABLE ROW LEVEL SECURITY;

CREATE POLICY api_sources ON sources FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_series ON series FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_series_vintages ON series_vintages FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT 1 FROM series s WHERE s.id = series_id));
CREATE POLICY api_observations ON observations FOR SELECT TO tidemark_api USING (NOT withheld);

CREATE POLICY import_sources ON sources TO tidemark_import USING (true) WITH CHECK (true);
CREATE POLICY import_series ON series TO tidemark_import USING (true) WITH CHECK (true);
CREATE POLICY import_series_vintages ON series_vintages TO tidemark_import USING (true) WITH CHECK (true);
CREATE POLICY import_observations ON observations TO tidemark_import USING (true) WITH CHECK (true);

GRANT SELECT ON sources, revisions, resource_families, regions, coverage_domains, topics, topic_coverage,
  indicators, indicator_coverage, indicator_topics, series, series_vintages, observations,
  changes, change_corrections, change_regions, change_coverage, change_topics TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, api_keys, daily_usage TO tidemark_api;
GRANT SELECT, UPDATE ON access_epoch TO tidemark_api;

GRANT SELECT, INSERT, UPDATE, DELETE ON sources, revisions, resource_families, regions, coverage_domains, topics,
  topic_coverage, indicators, indicator_coverage, indicator_topics, series, series_vintages, observations,
  changes, change_corrections, change_regions, change_coverage, change_topics TO tidemark_import;
GRANT SELECT, INSERT, UPDATE, DELETE ON spoken_vintages TO tidemark_import;
GRANT SELECT ON derivable_series, derivable_observations TO tidemark_import;
REVOKE EXECUTE ON FUNCTION analyze_content() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_content() TO tidemark_import;
`;
