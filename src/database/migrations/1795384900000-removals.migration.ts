import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For `publishedSince` on every list: what is no longer served, and the data version that last changed what a list shows of
 * a company, a topic or a coverage domain.
 */
export class Removals1795384900000 implements MigrationInterface {
  readonly name = 'Removals1795384900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE removals (
        family text NOT NULL,
        key text COLLATE "C" NOT NULL,
        -- Null until the publication closes.
        data_version integer REFERENCES publications,
        PRIMARY KEY (family, key)
      );
      CREATE INDEX removals_data_version ON removals (data_version);
      GRANT SELECT ON removals TO tidemark_api;
      GRANT SELECT, INSERT, UPDATE, DELETE ON removals TO tidemark_import;

      ALTER TABLE coverage_domains ADD COLUMN data_version integer REFERENCES publications;
      ALTER TABLE topics ADD COLUMN data_version integer REFERENCES publications;
      ALTER TABLE companies ADD COLUMN data_version integer REFERENCES publications;
      UPDATE coverage_domains SET data_version = (SELECT data_version FROM resource_families WHERE family = 'coverage');
      UPDATE topics SET data_version = (SELECT data_version FROM resource_families WHERE family = 'topics');
      UPDATE companies c SET data_version = e.data_version FROM entities e WHERE e.id = c.entity_id;
      CREATE INDEX companies_data_version ON companies (data_version) WHERE listed;`);
    await runner.query(TRIGGERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER changes_removed ON changes;
      DROP TRIGGER calendar_events_removed ON calendar_events;
      DROP TRIGGER calendar_events_hidden ON calendar_events;
      DROP TRIGGER companies_removed ON companies;
      DROP TRIGGER companies_delisted ON companies;
      DROP TRIGGER series_removed ON series;
      DROP TRIGGER series_hidden ON series;
      DROP TRIGGER sources_hidden ON sources;
      DROP FUNCTION note_removed, note_removed_series, note_hidden_companies;
      ALTER TABLE companies DROP COLUMN data_version;
      ALTER TABLE topics DROP COLUMN data_version;
      ALTER TABLE coverage_domains DROP COLUMN data_version;
      DROP TABLE removals`);
  }
}

const TRIGGERS = `
  -- Arguments: the family, and the column of the key.
  CREATE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO removals (family, key) VALUES (TG_ARGV[0], to_jsonb(OLD) ->> TG_ARGV[1])
    ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_removed AFTER DELETE ON changes
    FOR EACH ROW WHEN (OLD.status <> 'withdrawn') EXECUTE FUNCTION note_removed('changes', 'id');
  CREATE TRIGGER calendar_events_removed AFTER DELETE ON calendar_events
    FOR EACH ROW WHEN (NOT OLD.withheld) EXECUTE FUNCTION note_removed('ahead', 'id');
  CREATE TRIGGER calendar_events_hidden AFTER UPDATE ON calendar_events
    FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_removed('ahead', 'id');
  CREATE TRIGGER companies_removed AFTER DELETE ON companies
    FOR EACH ROW WHEN (OLD.listed) EXECUTE FUNCTION note_removed('companies', 'slug');
  CREATE TRIGGER companies_delisted AFTER UPDATE ON companies
    FOR EACH ROW WHEN (OLD.listed AND NOT NEW.listed) EXECUTE FUNCTION note_removed('companies', 'slug');

  CREATE FUNCTION note_removed_series() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO removals (family, key)
    VALUES (coalesce('macro/' || OLD.indicator, 'markets'), coalesce(OLD.region, OLD.instrument))
    ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER series_removed AFTER DELETE ON series
    FOR EACH ROW WHEN (NOT OLD.withheld) EXECUTE FUNCTION note_removed_series();
  CREATE TRIGGER series_hidden AFTER UPDATE ON series
    FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_removed_series();

  -- Companies of a withheld source stay as they are: their policy hides them.
  CREATE FUNCTION note_hidden_companies() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO removals (family, key) SELECT 'companies', slug FROM companies WHERE source_id = NEW.id AND listed
    ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER sources_hidden AFTER UPDATE OF withheld ON sources
    FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_hidden_companies()`;
