import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Follows and alerts of accounts. The API writes these rows. Publishing reads the conditions and writes alert events,
 * but cannot read whose they are.
 */
export class Following1795312000000 implements MigrationInterface {
  readonly name = 'Following1795312000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alert_events, alerts, follows');
  }
}

const TABLES = `
CREATE TABLE follows (
  id text PRIMARY KEY CHECK (id ~ '^fol_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  target_type text NOT NULL CHECK (
    target_type IN ('topic','coverage','country','company','entity','instrument','indicator','series')),
  -- The target's own key, without a foreign key, because the target may be withheld or disappear.
  target_key text NOT NULL,
  since timestamptz NOT NULL,
  UNIQUE (account_id, target_type, target_key)
);

CREATE TABLE alerts (
  id text PRIMARY KEY CHECK (id ~ '^alr_[A-Za-z0-9_-]{1,60}$'),
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(btrim(name)) BETWEEN 1 AND 100),
  target_type text NOT NULL CHECK (
    target_type IN ('topic','coverage','country','company','entity','instrument','indicator','series')),
  target_key text NOT NULL,
  metric text NOT NULL CHECK (metric IN ('any_change','value_above','value_below','move_percent')),
  -- In the target's unit; percent for move_percent.
  threshold numeric,
  state text NOT NULL DEFAULT 'armed' CHECK (state IN ('armed','triggered','paused')),
  created_at timestamptz NOT NULL,
  -- The newest evaluated period, and whether the condition held there. No figure is stored.
  judged_period text COLLATE "C",
  met boolean,
  CHECK ((metric = 'any_change') = (threshold IS NULL)),
  CHECK (metric = 'any_change' OR target_type IN ('instrument','series')),
  CHECK (metric <> 'move_percent' OR threshold > 0)
);
CREATE INDEX alerts_account ON alerts (account_id, position);
-- A publication selects the alerts on the targets that it changes.
CREATE INDEX alerts_target ON alerts (target_type, target_key);

-- An event of an alert. It shows a change as the change is now, but a figure in its own stored text.
CREATE TABLE alert_events (
  alert_id text NOT NULL REFERENCES alerts ON DELETE CASCADE,
  position bigint GENERATED ALWAYS AS IDENTITY,
  change_id text REFERENCES changes ON DELETE CASCADE,
  series_id integer REFERENCES series ON DELETE CASCADE,
  headline localized,
  at timestamptz NOT NULL,
  PRIMARY KEY (alert_id, position),
  CHECK ((series_id IS NULL) = (headline IS NULL)),
  CHECK (num_nonnulls(change_id, series_id) > 0)
);
CREATE INDEX alert_events_change ON alert_events (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX alert_events_series ON alert_events (series_id) WHERE series_id IS NOT NULL;

-- A page of an account's followed changes reads the ends of a few of these ranges, without their rows.
CREATE INDEX changes_followed ON changes (series_id, position) WHERE status <> 'withdrawn';
`;

const RIGHTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON follows, alerts TO tidemark_api;
GRANT SELECT ON alert_events TO tidemark_api;

GRANT SELECT (id, target_type, target_key, metric, threshold, state, created_at, judged_period, met),
  UPDATE (state, judged_period, met) ON alerts TO tidemark_import;
GRANT SELECT, INSERT, DELETE ON alert_events TO tidemark_import;
`;
