import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calendar events state who publishes what and when. They contain no figures: a reader joins the observations that were
 * known on the event's day. Indicators gain a flag for decisions, whose periods are the days of the decisions.
 */
export class Calendar1795307000000 implements MigrationInterface {
  readonly name = 'Calendar1795307000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DECISIONS);
    await runner.query(EVENTS);
    await runner.query(WITHHOLDING);
    await runner.query(RIGHTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('What was rescheduled would be forgotten: restore a backup instead'));
  }
}

const DECISIONS = `
-- A decision is valid from its day until the next one: the days between have no figures of their own.
ALTER TABLE indicators ADD COLUMN decision boolean NOT NULL DEFAULT false;
`;

const EVENTS = `
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
  withheld boolean NOT NULL,
  -- The day of the delivery that states it, and the revision that published it.
  vintage_day date NOT NULL,
  revision_id integer NOT NULL REFERENCES revisions,
  UNIQUE NULLS NOT DISTINCT (indicator, region, period, estimate)
);
CREATE INDEX calendar_events_time ON calendar_events (scheduled_on, order_at, id);
CREATE INDEX calendar_events_region ON calendar_events (region, scheduled_on, order_at, id);

-- An earlier schedule of an event that was moved, postponed or cancelled.
CREATE TABLE calendar_event_history (
  event_id text COLLATE "C" NOT NULL REFERENCES calendar_events ON DELETE CASCADE,
  revision_id integer NOT NULL REFERENCES revisions,
  vintage_day date NOT NULL,
  -- The day on which a later schedule replaced it.
  replaced_on date NOT NULL,
  scheduled_on date NOT NULL,
  time_zone text NOT NULL,
  scheduled_at timestamptz,
  status text NOT NULL CHECK (status IN ('scheduled','postponed','cancelled')),
  PRIMARY KEY (event_id, revision_id)
);
`;

const WITHHOLDING = `
-- A trigger sets "withheld" from the event's source and series; nothing else does.
CREATE FUNCTION calendar_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.withheld := EXISTS (SELECT 1 FROM sources s WHERE s.withheld AND s.id = NEW.source_id)
    OR EXISTS (SELECT 1 FROM series s WHERE s.withheld AND s.indicator = NEW.indicator AND s.region = NEW.region);
  RETURN NEW;
END $$;
CREATE TRIGGER calendar_events_withheld BEFORE INSERT OR UPDATE ON calendar_events
  FOR EACH ROW EXECUTE FUNCTION calendar_events_withheld();

CREATE FUNCTION series_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calendar_events SET source_id = source_id WHERE indicator = NEW.indicator AND region = NEW.region;
  RETURN NULL;
END $$;
CREATE TRIGGER series_made_withheld AFTER INSERT ON series
  FOR EACH ROW WHEN (NEW.withheld) EXECUTE FUNCTION series_events_withheld();
CREATE TRIGGER series_events_withheld AFTER UPDATE ON series
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION series_events_withheld();

CREATE FUNCTION sources_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calendar_events SET source_id = source_id WHERE source_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER sources_events_withheld AFTER UPDATE OF withheld ON sources
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION sources_events_withheld();
`;

const RIGHTS = `
ALTER TABLE calendar_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE calendar_event_history ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_calendar_events ON calendar_events FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_calendar_event_history ON calendar_event_history FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT 1 FROM calendar_events e WHERE e.id = event_id));
CREATE POLICY import_calendar_events ON calendar_events TO tidemark_import USING (true) WITH CHECK (true);
CREATE POLICY import_calendar_event_history ON calendar_event_history TO tidemark_import
  USING (true) WITH CHECK (true);
GRANT SELECT ON calendar_events, calendar_event_history TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON calendar_events, calendar_event_history TO tidemark_import;
`;
