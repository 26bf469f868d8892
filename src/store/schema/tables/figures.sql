-- Figures: series, the vintages in which they became known, and every value that they ever had.

-- A series belongs to one indicator in one region, or to one instrument.
CREATE TABLE series (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  indicator text REFERENCES indicators,
  region text REFERENCES regions,
  source_id text NOT NULL REFERENCES sources,
  -- The sources that the publisher itself cites.
  origins text[] NOT NULL DEFAULT '{}',
  -- A trigger sets it from the source and its origins; nothing else does.
  withheld boolean NOT NULL,
  -- The vintage of the first import: figures of this or an earlier vintage make no change.
  baseline_day date NOT NULL,
  instrument text UNIQUE REFERENCES instruments,
  -- The first and the last period with a value, as known now; the publication that changes figures sets them.
  oldest_period text COLLATE "C",
  newest_period text COLLATE "C",
  UNIQUE (indicator, region),
  UNIQUE (id, source_id, withheld),
  CONSTRAINT series_subject CHECK (
    (indicator IS NULL) = (region IS NULL) AND (indicator IS NULL) <> (instrument IS NULL))
);
CREATE INDEX series_region ON series (region);

-- The stored vintages of a series, and the periods that each of them covers.
CREATE TABLE series_vintages (
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  day date NOT NULL,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  -- The publisher's day of release, its day of update, or ours.
  basis text NOT NULL CHECK (basis IN ('released','updated','retrieved')),
  -- Imported after a newer vintage: it completes the history and never makes a change.
  backfilled boolean NOT NULL DEFAULT false,
  data_version integer NOT NULL REFERENCES publications,
  -- Whether it brought anything new.
  changed boolean NOT NULL DEFAULT true,
  -- Its figures end years before those of the other indicators of its delivery: a stale copy. Nothing is derived from it,
  -- nor from the vintage after it.
  partial boolean NOT NULL DEFAULT false,
  PRIMARY KEY (series_id, day)
);

-- Which periods of a series each data version changed, for publishedSince.
CREATE TABLE series_versions (
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  data_version integer NOT NULL REFERENCES publications,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  PRIMARY KEY (series_id, data_version)
);

-- What a vintage covered of series that did not exist then: of one region, or of all (null). A series that is created
-- later takes over these vintages, so that the stored content does not depend on the order of imports.
CREATE TABLE declared_vintages (
  indicator text NOT NULL REFERENCES indicators ON DELETE CASCADE,
  region text REFERENCES regions,
  day date NOT NULL,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  basis text NOT NULL CHECK (basis IN ('released','updated','retrieved')),
  data_version integer NOT NULL REFERENCES publications,
  UNIQUE NULLS NOT DISTINCT (indicator, region, day)
);

-- Withheld sources that a publisher's file declares as its origin, for one series or for all series of an indicator.
-- The declaration outlives its import, so that a series created later is withheld too.
CREATE TABLE declared_sources (
  indicator text REFERENCES indicators ON DELETE CASCADE,
  region text REFERENCES regions,
  instrument text REFERENCES instruments ON DELETE CASCADE,
  source_id text NOT NULL REFERENCES sources,
  UNIQUE NULLS NOT DISTINCT (indicator, region, instrument, source_id),
  CONSTRAINT declared_sources_subject CHECK ((indicator IS NULL) <> (instrument IS NULL))
);

-- One row per distinct value of a period, valid from vintage valid_from up to but not including valid_to. A period
-- without an open row was withdrawn by its source. The numeric keeps the printed scale.
CREATE TABLE observations (
  series_id integer NOT NULL,
  period text COLLATE "C" NOT NULL,
  valid_from date NOT NULL,
  valid_to date,
  value numeric NOT NULL,
  source_id text NOT NULL,
  withheld boolean NOT NULL,
  data_version integer NOT NULL,
  PRIMARY KEY (series_id, period, valid_from),
  FOREIGN KEY (series_id, source_id, withheld) REFERENCES series (id, source_id, withheld) ON UPDATE CASCADE,
  CONSTRAINT observations_validity CHECK (valid_to > valid_from)
);
CREATE UNIQUE INDEX observations_current ON observations (series_id, period) WHERE valid_to IS NULL;

-- Derivation may read only these.
CREATE VIEW derivable_series WITH (security_invoker = true) AS SELECT * FROM series WHERE NOT withheld;
CREATE VIEW derivable_observations WITH (security_invoker = true) AS SELECT * FROM observations WHERE NOT withheld;
