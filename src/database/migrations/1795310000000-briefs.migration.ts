import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Daily briefs. The publishing transaction writes them, so that a reader fetches a few rows. */
export class Briefs1795310000000 implements MigrationInterface {
  readonly name = 'Briefs1795310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BRIEFS);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX calendar_event_history_scheduled');
    await runner.query('DROP TABLE brief_item_changes, brief_items, brief_sections, briefs');
  }
}

const BRIEFS = `
CREATE TABLE briefs (
  day date PRIMARY KEY,
  title localized NOT NULL,
  summary localized NOT NULL,
  -- The revision that wrote this version.
  revision_id integer NOT NULL REFERENCES revisions
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

-- The most important of its changes, in order.
CREATE TABLE brief_item_changes (
  day date NOT NULL,
  rank smallint NOT NULL,
  ordinal smallint NOT NULL,
  change_id text NOT NULL REFERENCES changes ON DELETE CASCADE,
  PRIMARY KEY (day, rank, ordinal),
  FOREIGN KEY (day, rank) REFERENCES brief_items ON DELETE CASCADE
);
CREATE INDEX brief_item_changes_change ON brief_item_changes (change_id);

-- A brief needs the schedule of its week as it was before events were moved.
CREATE INDEX calendar_event_history_scheduled ON calendar_event_history (scheduled_on);
`;

const RIGHTS = `
GRANT SELECT ON briefs, brief_sections, brief_items, brief_item_changes TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON briefs, brief_sections, brief_items, brief_item_changes TO tidemark_import;
`;
