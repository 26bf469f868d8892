-- Which event calls which function. Triggers of one event fire in the order of their names.

CREATE TRIGGER series_withheld BEFORE INSERT OR UPDATE ON series
  FOR EACH ROW EXECUTE FUNCTION series_withheld();
CREATE TRIGGER series_made_withheld AFTER INSERT ON series
  FOR EACH ROW WHEN (NEW.withheld) EXECUTE FUNCTION series_events_withheld();
CREATE TRIGGER series_events_withheld AFTER UPDATE ON series
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION series_events_withheld();
CREATE TRIGGER series_hidden AFTER UPDATE ON series
  FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_removed_series();
CREATE TRIGGER series_removed AFTER DELETE ON series
  FOR EACH ROW WHEN (NOT OLD.withheld) EXECUTE FUNCTION note_removed_series();

CREATE TRIGGER sources_withheld AFTER UPDATE OF withheld ON sources
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION sources_withheld();
CREATE TRIGGER sources_events_withheld AFTER UPDATE OF withheld ON sources
  FOR EACH ROW WHEN (OLD.withheld IS DISTINCT FROM NEW.withheld) EXECUTE FUNCTION sources_events_withheld();
CREATE TRIGGER sources_hidden AFTER UPDATE OF withheld ON sources
  FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_hidden_companies();

CREATE TRIGGER calendar_events_withheld BEFORE INSERT OR UPDATE ON calendar_events
  FOR EACH ROW EXECUTE FUNCTION calendar_events_withheld();
CREATE TRIGGER calendar_events_hidden AFTER UPDATE ON calendar_events
  FOR EACH ROW WHEN (NOT OLD.withheld AND NEW.withheld) EXECUTE FUNCTION note_removed('ahead', 'id');
CREATE TRIGGER calendar_events_removed AFTER DELETE ON calendar_events
  FOR EACH ROW WHEN (NOT OLD.withheld) EXECUTE FUNCTION note_removed('ahead', 'id');

CREATE TRIGGER companies_delisted AFTER UPDATE ON companies
  FOR EACH ROW WHEN (OLD.listed AND NOT NEW.listed) EXECUTE FUNCTION note_removed('companies', 'slug');
CREATE TRIGGER companies_removed AFTER DELETE ON companies
  FOR EACH ROW WHEN (OLD.listed) EXECUTE FUNCTION note_removed('companies', 'slug');

-- A trigger, so that publications of an earlier version have a run too, while one version replaces another.
CREATE TRIGGER note_change_run AFTER INSERT ON changes REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION note_change_run();
CREATE TRIGGER changes_removed AFTER DELETE ON changes
  FOR EACH ROW WHEN (OLD.status <> 'withdrawn') EXECUTE FUNCTION note_removed('changes', 'id');

CREATE TRIGGER accounts_version AFTER UPDATE OF plan, status OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION advance_access_version();
-- Instances read a caller again within five minutes (caller-lookup.ts), so they see a later expiry in time.
CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at, expires_at ON api_keys FOR EACH ROW
  WHEN ((OLD.account_id, OLD.hash, OLD.revoked_at) IS DISTINCT FROM (NEW.account_id, NEW.hash, NEW.revoked_at)
    OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
      AND least(OLD.expires_at, NEW.expires_at) < now() + interval '10 minutes')
  EXECUTE FUNCTION advance_access_version();
-- Nobody is let in by a key that has ended, so deleting its row changes nothing.
CREATE TRIGGER api_keys_deletion AFTER DELETE ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (OLD.expires_at IS NULL OR OLD.expires_at > now()))
  EXECUTE FUNCTION advance_access_version();
CREATE TRIGGER account_identities_version AFTER UPDATE OR DELETE ON account_identities
  FOR EACH ROW EXECUTE FUNCTION advance_access_version();

CREATE TRIGGER alert_events_notifications AFTER INSERT ON alert_events REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION queue_notifications();
