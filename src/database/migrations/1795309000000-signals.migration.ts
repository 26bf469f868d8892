import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Content derived from changes: signals, and the number and importance of an economy's changes by day. None of it can
 * reveal withheld content, because no change derives from withheld content.
 */
export class Signals1795309000000 implements MigrationInterface {
  readonly name = 'Signals1795309000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SIGNALS);
    await runner.query(HEAT);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE heat_days, signal_topics, signal_changes, signals;
      DROP INDEX changes_released;`);
  }
}

const SIGNALS = `
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
  evidence_independent integer NOT NULL CHECK (evidence_independent BETWEEN 2 AND evidence_total),
  evidence_publishers integer NOT NULL CHECK (evidence_publishers > 0),
  evidence_levels jsonb NOT NULL,
  -- Days of the data, not of the import.
  first_seen_on date NOT NULL,
  last_seen_on date NOT NULL CHECK (last_seen_on >= first_seen_on),
  -- The status that the rule gives, and the number of days without news after which the signal is closed anyway.
  judged text NOT NULL CHECK (judged IN ('emerging','active','closed')),
  current_days smallint NOT NULL CHECK (current_days > 0),
  -- The result of both, as of the newest data day.
  status text NOT NULL CHECK (status IN ('emerging','active','closed')),
  -- Signals that are not closed first, then the newest.
  rank integer NOT NULL GENERATED ALWAYS AS (
    (CASE WHEN status = 'closed' THEN 0 ELSE 1000000 END) + (last_seen_on - date '1970-01-01')) STORED,
  -- The newest revision that changed it.
  revision_id integer NOT NULL REFERENCES revisions,
  UNIQUE (id, rank)
);
CREATE INDEX signals_subject ON signals (rule, subject, starts);
CREATE INDEX signals_running ON signals (last_seen_on) WHERE judged <> 'closed';

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

-- Releases only: few rows compared with the revisions of a series.
CREATE INDEX changes_released ON changes (series_id, period) WHERE kind = 'release';
`;

const HEAT = `
-- Changes that are not withdrawn, by economy, domain and data day. The domain '' contains all of them: there, a change
-- of two domains counts once.
CREATE TABLE heat_days (
  region text NOT NULL REFERENCES regions,
  coverage text NOT NULL,
  day date NOT NULL,
  importance integer NOT NULL CHECK (importance >= 0),
  changes integer NOT NULL CHECK (changes > 0),
  -- Positions of its three most important changes.
  top bigint[] NOT NULL,
  revision_id integer NOT NULL REFERENCES revisions,
  -- Sums of windows need the index alone.
  PRIMARY KEY (coverage, region, day) INCLUDE (importance, changes)
);
CREATE INDEX heat_days_day ON heat_days (day);
`;

const RIGHTS = `
GRANT SELECT ON signals, signal_changes, signal_topics, heat_days TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON signals, signal_changes, signal_topics, heat_days TO tidemark_import;
`;
