import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Subjects of changes beside indicators: market instruments and legal entities. Quotes are observations, so vintages,
 * withholding and revisions apply to them without further code.
 */
export class Subjects1795305600000 implements MigrationInterface {
  readonly name = 'Subjects1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INSTRUMENTS);
    await runner.query(ENTITIES);
    await runner.query(CHANGES);
    await runner.query(RIGHTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Figures would lose their subject: restore a backup instead'));
  }
}

const INSTRUMENTS = `
CREATE TABLE instruments (
  key text PRIMARY KEY CHECK (key ~ '^[a-z0-9-]{1,64}$'),
  provider text NOT NULL,
  provider_code text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('fx','commodity','rate','index','equity')),
  unit text NOT NULL,
  -- ISO 4217 code of the quote currency; null if the quote is not money.
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  -- The finest timeframe that the source prints: bars are never finer.
  native_timeframe text NOT NULL CHECK (native_timeframe IN ('D1','W1','MN')),
  -- An official average over its period; such a figure is not a close.
  average boolean NOT NULL,
  discontinued boolean NOT NULL,
  name localized NOT NULL,
  description localized NOT NULL,
  source_id text NOT NULL REFERENCES sources,
  ordinal smallint NOT NULL,
  UNIQUE (provider, provider_code)
);
CREATE TABLE instrument_regions (
  instrument text NOT NULL REFERENCES instruments ON DELETE CASCADE,
  region text NOT NULL REFERENCES regions,
  PRIMARY KEY (instrument, region)
);
CREATE TABLE instrument_coverage (
  instrument text NOT NULL REFERENCES instruments ON DELETE CASCADE,
  coverage text NOT NULL REFERENCES coverage_domains,
  PRIMARY KEY (instrument, coverage)
);
CREATE TABLE instrument_topics (
  instrument text NOT NULL REFERENCES instruments ON DELETE CASCADE,
  topic text NOT NULL REFERENCES topics,
  PRIMARY KEY (instrument, topic)
);

-- A series belongs to one indicator in one region, or to one instrument.
ALTER TABLE series
  ALTER COLUMN indicator DROP NOT NULL,
  ALTER COLUMN region DROP NOT NULL,
  ADD COLUMN instrument text UNIQUE REFERENCES instruments,
  ADD CONSTRAINT series_subject CHECK (
    (indicator IS NULL) = (region IS NULL) AND (indicator IS NULL) <> (instrument IS NULL));
-- A view keeps the columns that its table had when it was created.
CREATE OR REPLACE VIEW derivable_series WITH (security_invoker = true) AS SELECT * FROM series WHERE NOT withheld;
`;

const ENTITIES = `
-- A legal entity as a register names it, in the register's own language.
CREATE TABLE entities (
  id text PRIMARY KEY CHECK (id ~ '^ent_[A-Za-z0-9_-]{1,60}$'),
  lei text UNIQUE CHECK (lei ~ '^[A-Z0-9]{18}[0-9]{2}$'),
  cik integer UNIQUE CHECK (cik > 0),
  name text NOT NULL CHECK (btrim(name) <> ''),
  name_language text,
  type text NOT NULL CHECK (type ~ '^[a-z_]{1,40}$'),
  country text REFERENCES regions,
  status text NOT NULL CHECK (status IN ('active','inactive','unknown')),
  source_id text NOT NULL REFERENCES sources,
  CHECK (lei IS NOT NULL OR cik IS NOT NULL)
);
`;

const CHANGES = `
ALTER TABLE changes
  ALTER COLUMN series_id DROP NOT NULL,
  ALTER COLUMN period DROP NOT NULL,
  ALTER COLUMN actual_value DROP NOT NULL,
  ALTER COLUMN previous_period DROP NOT NULL,
  ALTER COLUMN previous_basis DROP NOT NULL,
  -- The subject, if it is not a series.
  ADD COLUMN entity_id text REFERENCES entities ON DELETE CASCADE,
  ADD CONSTRAINT changes_subject CHECK ((series_id IS NULL) <> (entity_id IS NULL)),
  ADD CONSTRAINT changes_figure CHECK (
    CASE WHEN series_id IS NULL
      THEN num_nonnulls(period, actual_value, previous_value, previous_period, previous_basis, previous_missing) = 0
      ELSE num_nulls(period, actual_value, previous_period, previous_basis) = 0
        AND (previous_value IS NULL) = (previous_missing IS NOT NULL) END);
ALTER TABLE changes DROP CONSTRAINT changes_check;
ALTER TABLE change_corrections ALTER COLUMN actual_value DROP NOT NULL;
CREATE INDEX changes_series_position ON changes (series_id, position);
CREATE INDEX changes_entity ON changes (entity_id) WHERE entity_id IS NOT NULL;

CREATE TABLE change_entities (
  entity text NOT NULL REFERENCES entities ON DELETE CASCADE,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (entity, position)
);
CREATE INDEX change_entities_position ON change_entities (position);

CREATE OR REPLACE FUNCTION analyze_content() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  ANALYZE series, series_vintages, observations, entities, change_regions, change_coverage, change_topics,
    change_entities,
    changes (id, position, kind, status, occurred_at, published_at, updated_at, series_id, vintage_day);
END $$;
`;

const RIGHTS = `
GRANT SELECT ON instruments, instrument_regions, instrument_coverage, instrument_topics, entities,
  change_entities TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON instruments, instrument_regions, instrument_coverage, instrument_topics,
  entities, change_entities TO tidemark_import;
`;
