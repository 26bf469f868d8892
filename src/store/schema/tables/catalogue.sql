-- What the catalogue declares, and the publications that brought it and everything else.

-- The list of migrations, as TypeORM keeps it.
CREATE TABLE migrations (
  id serial PRIMARY KEY,
  timestamp bigint NOT NULL,
  name varchar NOT NULL
);

-- A text for people. schemaLanguages refuses a row unless it has all languages.
CREATE DOMAIN localized AS jsonb;

-- Publishing transactions. Their number is the data version.
CREATE TABLE publications (
  data_version integer PRIMARY KEY,
  published_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (
    kind IN ('import','backfill','replace','withdrawal','source_withheld','rendering','retraction','decision')),
  description text NOT NULL,
  vintage_day date,
  counts jsonb NOT NULL DEFAULT '{}',
  -- The words and rules that rendered the stored texts; null: several, or unknown.
  rendered_by text,
  -- The time that its rows carry; `published_at` is the moment from which it is visible.
  began_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX publications_moments ON publications (published_at, began_at);

-- The newest publication that changed the responses of a family of resources.
CREATE TABLE resource_families (
  family text PRIMARY KEY,
  data_version integer NOT NULL REFERENCES publications
);

-- What is no longer served, by family and key; the version is null until the publication closes.
CREATE TABLE removals (
  family text NOT NULL,
  key text COLLATE "C" NOT NULL,
  data_version integer REFERENCES publications,
  PRIMARY KEY (family, key)
);
CREATE INDEX removals_data_version ON removals (data_version);

-- Who publishes figures, and under which licence.
CREATE TABLE sources (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  publisher localized NOT NULL,
  url text NOT NULL,
  level text NOT NULL CHECK (level IN ('primary','regulator','company','institutional','media','derived','community')),
  -- A licence of the catalogue, whose sentences are shown with the figures.
  licence text NOT NULL,
  attribution localized NOT NULL,
  notice localized,
  -- Whether the service hides everything that comes from it.
  withheld boolean NOT NULL DEFAULT false,
  retrieved_on date,
  -- A portal republishes what others made, and sentences credit the maker; so do sentences on a model's estimate.
  portal boolean NOT NULL DEFAULT false,
  modelled boolean NOT NULL DEFAULT false
);

-- Countries and aggregates.
CREATE TABLE regions (
  code text PRIMARY KEY CHECK (code ~ '^[A-Z0-9]{2,3}$'),
  alpha3 text UNIQUE,
  kind text NOT NULL CHECK (kind IN ('country','aggregate')),
  name localized NOT NULL,
  weight smallint NOT NULL CHECK (weight BETWEEN 0 AND 100),
  -- The place on the board; null: not there.
  board_order smallint,
  -- ISO 4217, for the exchange rate: the unit of the indicator does not state it.
  currency text CHECK (currency ~ '^[A-Z]{3}$')
);

-- Subject areas. The publishing transaction counts, as of the newest data day, so that no reader has to.
CREATE TABLE coverage_domains (
  key text PRIMARY KEY CHECK (key ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  description localized NOT NULL,
  ordinal smallint NOT NULL,
  changes_7 integer NOT NULL DEFAULT 0,
  changes_30 integer NOT NULL DEFAULT 0,
  changes_total integer NOT NULL DEFAULT 0,
  latest_change_at timestamptz,
  -- The newest publication that changed what a list shows of it.
  data_version integer REFERENCES publications
);

-- Topics, each of one or more domains; counted as domains are.
CREATE TABLE topics (
  slug text PRIMARY KEY CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
  name localized NOT NULL,
  description localized NOT NULL,
  ordinal smallint NOT NULL,
  changes_7 integer NOT NULL DEFAULT 0,
  changes_30 integer NOT NULL DEFAULT 0,
  changes_total integer NOT NULL DEFAULT 0,
  latest_change_at timestamptz,
  data_version integer REFERENCES publications
);
CREATE TABLE topic_coverage (
  topic text NOT NULL REFERENCES topics ON DELETE CASCADE,
  coverage text NOT NULL REFERENCES coverage_domains,
  PRIMARY KEY (topic, coverage)
);

-- What is measured, in many regions.
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
  -- A decision is valid from its day until the next one: the days between have no figures of their own.
  decision boolean NOT NULL DEFAULT false,
  -- The verb of the indicator, and its names above and below zero, for sentences.
  wording jsonb NOT NULL,
  -- A series' own page at its publisher.
  series_url text,
  -- When newer figures are due.
  timetable jsonb NOT NULL,
  -- How much people watch it.
  attention smallint NOT NULL CHECK (attention BETWEEN 30 AND 100),
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

-- What a market prices. Quotes are observations, as figures of indicators are.
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
  series_url text,
  timetable jsonb NOT NULL,
  attention smallint NOT NULL CHECK (attention BETWEEN 30 AND 100),
  -- The yield curve of a maturity: briefs tell the moves of a curve in one sentence.
  curve jsonb,
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
