-- Changes: what the service finds in the figures and registers, and everything that lists of them read.

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
  occurred_basis text NOT NULL CHECK (occurred_basis IN ('released','updated','retrieved','observed')),
  published_at timestamptz NOT NULL,
  -- The time of the newest publication: the first one, or the newest correction or rendering.
  updated_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  data_version integer NOT NULL REFERENCES publications,
  source_id text NOT NULL REFERENCES sources,
  -- The subject is a series or an entity.
  series_id integer REFERENCES series ON DELETE CASCADE,
  period text COLLATE "C",
  vintage_day date NOT NULL,
  actual_value numeric,
  previous_value numeric,
  previous_period text COLLATE "C",
  previous_basis text CHECK (previous_basis IN ('period','vintage')),
  previous_missing text CHECK (previous_missing IN ('not_published','withdrawn_by_source','awaited','not_in_source')),
  previous_known_since date,
  delta numeric,
  delta_percent numeric,
  entity_id text REFERENCES entities ON DELETE CASCADE,
  -- The facts of a re-basing that is one change.
  rebasing jsonb,
  -- The vintage that first had its figures, which for a market move is later than the observed day.
  known_since date NOT NULL,
  -- What stands out about the figure among those known with it, and the sentence on that.
  context jsonb,
  -- The number of more important changes of the same indicator and vintage, or of the same market topic and month, at most 12.
  alike smallint NOT NULL DEFAULT 0,
  -- The order of importance as of any day: importance halves in 125 days (180 times the logarithm of two) of the data's clock.
  -- Of those that `alike` counts together, each after the third gives way a further 20 days.
  ranking integer NOT NULL GENERATED ALWAYS AS (
    round(180 * ln(greatest(importance, 0.5)) + extract(epoch FROM occurred_at AT TIME ZONE 'UTC') / 86400)
      - 20 * greatest(alike - 2, 0)) STORED,
  -- Of a revision: whether it restated, withdrew or returned figures, and every earlier value of its period.
  revision jsonb,
  CONSTRAINT changes_subject CHECK ((series_id IS NULL) <> (entity_id IS NULL)),
  CONSTRAINT changes_figure CHECK (
    CASE WHEN series_id IS NULL
      THEN num_nonnulls(period, actual_value, previous_value, previous_period, previous_basis, previous_missing) = 0
      -- Only a withdrawal has no figure of its own.
      ELSE num_nulls(period, previous_period, previous_basis) = 0
        AND (actual_value IS NOT NULL OR kind = 'revision' AND previous_value IS NOT NULL)
        AND (previous_value IS NULL) = (previous_missing IS NOT NULL) END),
  CONSTRAINT changes_rebasing CHECK (num_nonnulls(rebasing, revision) = 0 OR kind = 'revision'),
  CONSTRAINT changes_withdrawal CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL))
);
CREATE INDEX changes_kind ON changes (kind, position);
CREATE INDEX changes_status ON changes (status, position) WHERE status <> 'verified';
CREATE INDEX changes_occurred ON changes (occurred_at);
CREATE INDEX changes_updated ON changes (updated_at);
-- Listed by publishedSince again.
CREATE INDEX changes_amended ON changes (updated_at) WHERE updated_at > published_at;
CREATE INDEX changes_run ON changes (data_version, occurred_at, position);
-- Finds the few changes above a high minImportance; for a low one, walking the list finds many.
CREATE INDEX changes_importance ON changes (importance, position);
CREATE INDEX changes_ranking ON changes (ranking, position);
CREATE INDEX changes_series ON changes (series_id, vintage_day);
CREATE INDEX changes_series_position ON changes (series_id, position);
-- A page of an account's followed changes reads the ends of a few of these ranges, without their rows.
CREATE INDEX changes_followed ON changes (series_id, position) WHERE status <> 'withdrawn';
-- Releases only: few rows compared with the revisions of a series.
CREATE INDEX changes_released ON changes (series_id, period) WHERE kind = 'release';
CREATE INDEX changes_entity ON changes (entity_id) WHERE entity_id IS NOT NULL;

CREATE TABLE change_corrections (
  change_id text NOT NULL REFERENCES changes ON DELETE CASCADE,
  data_version integer NOT NULL REFERENCES publications,
  corrected_at timestamptz NOT NULL,
  actual_value numeric,
  previous_value numeric,
  PRIMARY KEY (change_id, data_version)
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
CREATE TABLE change_entities (
  entity text NOT NULL REFERENCES entities ON DELETE CASCADE,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (entity, position)
);
CREATE INDEX change_regions_position ON change_regions (position);
CREATE INDEX change_coverage_position ON change_coverage (position);
CREATE INDEX change_topics_position ON change_topics (position);
CREATE INDEX change_entities_position ON change_entities (position);

-- Each publication inserts its changes once, as one run of positions in the order of their days. A time window is thus
-- one range of each run, and two index lookups find it anywhere in the list.
CREATE TABLE change_runs (
  data_version integer PRIMARY KEY REFERENCES publications,
  first_position bigint NOT NULL UNIQUE,
  last_position bigint NOT NULL,
  occurred_first timestamptz NOT NULL,
  occurred_last timestamptz NOT NULL,
  published_at timestamptz NOT NULL,
  CONSTRAINT change_runs_positions CHECK (last_position >= first_position),
  CONSTRAINT change_runs_days CHECK (occurred_last >= occurred_first)
);

-- Changes as responses show them, one document in each language.
CREATE TABLE change_documents (
  position bigint PRIMARY KEY REFERENCES changes (position) ON DELETE CASCADE,
  -- Compressed in the row: a page reads the rows of one range, and decompresses one language. Here are the languages of the
  -- first release; schemaLanguages adds a column for each further one.
  en text NOT NULL,
  zh text NOT NULL,
  ja text NOT NULL,
  -- What the documents cite: sources, the series with a page at its publisher, periods of figures.
  sources text[] NOT NULL,
  subject text,
  periods text[] NOT NULL
);

-- The words of a change, and facet tokens for its filters; each begins with the number of its index partition, so that
-- no list is longer than a partition.
CREATE TABLE change_words (
  position bigint PRIMARY KEY REFERENCES changes (position) ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX change_words_words ON change_words USING gin (words);
