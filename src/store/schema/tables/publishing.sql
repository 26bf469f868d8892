-- The work of publishing: deliveries that wait for an operator, and attempts to fetch new ones.

-- Deliveries that the audit held, with their content, until an operator accepts or drops them: whole ones, or the series
-- in quarantine of one whose other series were published.
CREATE TABLE held_deliveries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  publisher text NOT NULL,
  -- As the delivery was read, so that accepting it reads the same.
  name text NOT NULL,
  vintage_day date NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','updated','retrieved')),
  bytes bigint NOT NULL,
  -- What the operator of the import had allowed.
  backfill boolean NOT NULL,
  replace boolean NOT NULL,
  skip_bad_rows boolean NOT NULL,
  digest text NOT NULL,
  findings jsonb NOT NULL,
  held_at timestamptz NOT NULL,
  -- Superseded: a later delivery spoke of all its series.
  state text NOT NULL DEFAULT 'held' CHECK (state IN ('held','accepted','dropped','superseded')),
  decided_at timestamptz,
  decided_by text,
  reason text,
  data_version integer REFERENCES publications ON DELETE SET NULL,
  -- The data version of the other series; null: the delivery is held whole.
  published_with integer REFERENCES publications,
  CONSTRAINT held_deliveries_decision CHECK ((state = 'held') = (decided_at IS NULL))
);
-- The same content is held once.
CREATE UNIQUE INDEX held_deliveries_content ON held_deliveries (publisher, vintage_day, digest) WHERE state = 'held';

-- Batches of the delivery: lines of JSON, compressed, in order.
CREATE TABLE held_delivery_parts (
  delivery_id integer NOT NULL REFERENCES held_deliveries ON DELETE CASCADE,
  number integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (delivery_id, number)
);

-- Series and entities in quarantine: what a delivery gave for them waits, and responses show what was accepted before, with a
-- notice.
CREATE TABLE quarantined_series (
  delivery_id integer NOT NULL REFERENCES held_deliveries ON DELETE CASCADE,
  series_id integer REFERENCES series ON DELETE CASCADE,
  -- The vintage day from which on its figures have been waiting, also those of earlier deliveries.
  since date NOT NULL,
  checks text[] NOT NULL,
  -- What kind of fault they find, for the notice.
  faults text[] NOT NULL,
  -- The periods that wait; an entity has none.
  first_period text COLLATE "C",
  last_period text COLLATE "C",
  -- The newest figures to the last one that failed, as stored and as given; null: no figure.
  stored_values numeric[] NOT NULL,
  given_values numeric[] NOT NULL,
  -- The data version with which the wait ended; null: it waits.
  ended_by integer REFERENCES publications,
  -- An LEI, or `CIK 320193`.
  entity text,
  CONSTRAINT quarantined_series_subject CHECK (num_nonnulls(series_id, entity) = 1),
  CONSTRAINT quarantined_series_once UNIQUE NULLS NOT DISTINCT (delivery_id, series_id, entity)
);
CREATE INDEX quarantined_series_waiting ON quarantined_series (series_id) WHERE ended_by IS NULL;

-- Figures that an operator has accepted although they fail a check. They pass it while the publisher repeats them.
CREATE TABLE audit_exceptions (
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  check_name text NOT NULL,
  period text COLLATE "C" NOT NULL,
  -- Null: the absence of the figure was accepted.
  value numeric,
  -- Share of the value by which a later delivery may differ from it.
  tolerance numeric NOT NULL CHECK (tolerance >= 0),
  reason text NOT NULL,
  data_version integer NOT NULL REFERENCES publications,
  PRIMARY KEY (series_id, check_name, period)
);

-- Attempts of `tidemark sync` to import what a publisher has released.
CREATE TABLE sync_attempts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  publisher text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Null while it runs, or if its process was killed and nobody has noticed.
  ended_at timestamptz,
  outcome text CHECK (outcome IN ('new','nothing new','held','failed')),
  why text,
  -- Of its last publication, written in the publishing transaction.
  data_version integer REFERENCES publications ON DELETE SET NULL,
  vintage_day date,
  -- When the publisher is due again.
  next_at timestamptz,
  -- A hash of the files and of what decides how they are read, so that the next attempt recognises the same files.
  content text,
  CONSTRAINT sync_attempts_end CHECK (num_nulls(ended_at, outcome, next_at) IN (0, 3))
);
CREATE INDEX sync_attempts_publisher ON sync_attempts (publisher, id DESC);
-- Nobody begins an attempt before the last one has its outcome.
CREATE UNIQUE INDEX sync_attempts_running ON sync_attempts (publisher) WHERE outcome IS NULL;
