-- What is derived from figures, changes and publishers' schedules for readers: the calendar, signals, heat, briefs.

-- Who publishes what and when. Events contain no figures: a reader joins the observations that were known on the day.
CREATE TABLE calendar_events (
  id text COLLATE "C" PRIMARY KEY CHECK (id ~ '^evt_[A-Za-z0-9_-]{1,60}$'),
  indicator text NOT NULL REFERENCES indicators,
  region text NOT NULL REFERENCES regions,
  period text COLLATE "C" NOT NULL,
  -- The previous calendar period, as its figure is shown beside this one.
  previous_period text COLLATE "C" NOT NULL,
  -- Which of several prints of one period; null if there is only one.
  estimate smallint CHECK (estimate BETWEEN 1 AND 9),
  -- The publisher's own day, in its time zone; an instant only if the publisher states the time.
  scheduled_on date NOT NULL,
  time_zone text NOT NULL,
  scheduled_at timestamptz,
  -- Events without a time are the first of their day.
  order_at timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(scheduled_at, '-infinity'::timestamptz)) STORED,
  status text NOT NULL CHECK (status IN ('scheduled','postponed','cancelled')),
  importance text NOT NULL CHECK (importance IN ('low','medium','high')),
  source_id text NOT NULL REFERENCES sources,
  source_url text,
  -- A trigger sets it from the event's source and series; nothing else does.
  withheld boolean NOT NULL,
  -- The day of the delivery that states it, and the publication that brought it.
  vintage_day date NOT NULL,
  data_version integer NOT NULL REFERENCES publications,
  UNIQUE NULLS NOT DISTINCT (indicator, region, period, estimate)
);
CREATE INDEX calendar_events_time ON calendar_events (scheduled_on, order_at, id);
CREATE INDEX calendar_events_region ON calendar_events (region, scheduled_on, order_at, id);

-- An earlier schedule of an event that was moved, postponed or cancelled.
CREATE TABLE calendar_event_history (
  event_id text COLLATE "C" NOT NULL REFERENCES calendar_events ON DELETE CASCADE,
  data_version integer NOT NULL REFERENCES publications,
  vintage_day date NOT NULL,
  -- The day on which a later schedule replaced it.
  replaced_on date NOT NULL,
  scheduled_on date NOT NULL,
  time_zone text NOT NULL,
  scheduled_at timestamptz,
  status text NOT NULL CHECK (status IN ('scheduled','postponed','cancelled')),
  PRIMARY KEY (event_id, data_version)
);
-- A brief needs the schedule of its week as it was before events were moved.
CREATE INDEX calendar_event_history_scheduled ON calendar_event_history (scheduled_on);

-- Patterns over several changes.
CREATE TABLE signals (
  id text PRIMARY KEY CHECK (id ~ '^sig_[A-Za-z0-9_-]{1,60}$'),
  rule text NOT NULL CHECK (rule ~ '^[a-z_]{1,40}$'),
  -- The subject of the rule, and the start of the pattern; with the rule, they make the id.
  subject text NOT NULL,
  starts text COLLATE "C" NOT NULL,
  title localized NOT NULL,
  summary localized NOT NULL,
  evidence_class text NOT NULL CHECK (evidence_class IN ('fact','supported')),
  evidence_total integer NOT NULL,
  evidence_independent integer NOT NULL,
  evidence_publishers integer NOT NULL CHECK (evidence_publishers > 0),
  evidence_levels jsonb NOT NULL,
  -- Days of the data, not of the import.
  first_seen_on date NOT NULL,
  last_seen_on date NOT NULL,
  -- The status that the rule gives, and the number of days without news after which the signal is closed anyway.
  stage text NOT NULL CHECK (stage IN ('emerging','active','closed')),
  current_days smallint NOT NULL CHECK (current_days > 0),
  -- The result of both, as of the newest data day.
  status text NOT NULL CHECK (status IN ('emerging','active','closed')),
  -- Signals that are not closed first, then the newest.
  rank integer NOT NULL GENERATED ALWAYS AS (
    (CASE WHEN status = 'closed' THEN 0 ELSE 1000000 END) + (last_seen_on - date '1970-01-01')) STORED,
  -- The newest publication that changed it.
  data_version integer NOT NULL REFERENCES publications,
  UNIQUE (id, rank),
  CONSTRAINT signals_evidence CHECK (evidence_independent BETWEEN 2 AND evidence_total),
  CONSTRAINT signals_days CHECK (last_seen_on >= first_seen_on)
);
CREATE INDEX signals_subject ON signals (rule, subject, starts);
CREATE INDEX signals_running ON signals (last_seen_on) WHERE stage <> 'closed';

CREATE TABLE signal_changes (
  signal text NOT NULL REFERENCES signals ON DELETE CASCADE,
  position bigint NOT NULL REFERENCES changes (position) ON DELETE CASCADE,
  PRIMARY KEY (signal, position)
);
CREATE INDEX signal_changes_position ON signal_changes (position);

CREATE TABLE signal_topics (
  topic text NOT NULL REFERENCES topics,
  signal text NOT NULL,
  rank integer NOT NULL,
  PRIMARY KEY (topic, rank, signal),
  FOREIGN KEY (signal, rank) REFERENCES signals (id, rank) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX signal_topics_signal ON signal_topics (signal);

-- Changes that are not withdrawn, by economy, domain and data day. The domain '' contains all of them: there, a change
-- of two domains counts once.
CREATE TABLE heat_days (
  region text NOT NULL REFERENCES regions,
  coverage text NOT NULL,
  day date NOT NULL,
  importance integer NOT NULL CHECK (importance >= 0),
  changes integer NOT NULL CHECK (changes >= 0),
  -- Positions of its three most important changes.
  top bigint[] NOT NULL,
  data_version integer NOT NULL REFERENCES publications,
  -- Whether the day of some of them is the day of retrieval.
  retrieved boolean NOT NULL,
  -- Sums of windows need the index alone.
  PRIMARY KEY (coverage, region, day) INCLUDE (importance, changes, retrieved)
);
CREATE INDEX heat_days_day ON heat_days (day);

-- A summary of the changes of a data day.
CREATE TABLE briefs (
  day date PRIMARY KEY,
  title localized NOT NULL,
  summary localized NOT NULL,
  -- The publication that wrote this version.
  data_version integer NOT NULL REFERENCES publications,
  -- Until when it was compiled, if some of its changes became known after its day.
  compiled_until date,
  CONSTRAINT briefs_compiled CHECK (compiled_until > day)
);

-- A domain with changes on the day, even if the brief shows none of them.
CREATE TABLE brief_sections (
  day date NOT NULL REFERENCES briefs ON DELETE CASCADE,
  coverage text NOT NULL REFERENCES coverage_domains,
  omitted integer NOT NULL CHECK (omitted >= 0),
  PRIMARY KEY (day, coverage)
);

-- A change, or several similar revisions as one. The figure is that of the most important change.
CREATE TABLE brief_items (
  day date NOT NULL,
  -- Rank within the day, from 1, by importance.
  rank smallint NOT NULL CHECK (rank >= 1),
  coverage text NOT NULL,
  headline localized NOT NULL,
  change_id text NOT NULL REFERENCES changes ON DELETE CASCADE,
  changes integer NOT NULL CHECK (changes >= 1),
  PRIMARY KEY (day, rank),
  FOREIGN KEY (day, coverage) REFERENCES brief_sections ON DELETE CASCADE
);
CREATE INDEX brief_items_change ON brief_items (change_id);

-- The most important changes of an item, in order.
CREATE TABLE brief_item_changes (
  day date NOT NULL,
  rank smallint NOT NULL,
  ordinal smallint NOT NULL,
  change_id text NOT NULL REFERENCES changes ON DELETE CASCADE,
  PRIMARY KEY (day, rank, ordinal),
  FOREIGN KEY (day, rank) REFERENCES brief_items ON DELETE CASCADE
);
CREATE INDEX brief_item_changes_change ON brief_item_changes (change_id);
