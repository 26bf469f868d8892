-- Content: an import writes it, the API reads what is not withheld.

DO $$
DECLARE content text;
BEGIN
  FOREACH content IN ARRAY regexp_split_to_array(
    'publications resource_families removals sources regions coverage_domains topics topic_coverage indicators
     indicator_coverage indicator_topics instruments instrument_regions instrument_coverage instrument_topics
     series series_vintages series_versions observations entities register_vintages relations relation_vintages
     registrants company_tickers companies changes change_corrections change_regions change_coverage change_topics
     change_entities change_runs change_documents change_words calendar_events calendar_event_history signals
     signal_changes signal_topics heat_days briefs brief_sections brief_items brief_item_changes
     search_documents search_partitions search_texts search_names search_words', '\s+')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO tidemark_import; GRANT SELECT ON %1$I TO tidemark_api', content);
  END LOOP;
END $$;
GRANT SELECT ON search_horizon TO tidemark_api;
GRANT SELECT, UPDATE ON search_horizon TO tidemark_import;
GRANT USAGE ON SEQUENCE search_documents_id_seq TO tidemark_import;

-- What only publishing needs.
GRANT SELECT, INSERT, UPDATE, DELETE ON declared_vintages, entity_statements, held_deliveries, held_delivery_parts,
  quarantined_series, audit_exceptions
TO tidemark_import;
GRANT SELECT, INSERT, DELETE ON declared_sources TO tidemark_import;
GRANT SELECT, INSERT, UPDATE ON sync_attempts TO tidemark_import;
GRANT SELECT ON derivable_series, derivable_observations TO tidemark_import;
-- The service reports how publishing stands, and which series and entities wait.
GRANT SELECT (id, state) ON held_deliveries TO tidemark_api;
GRANT SELECT (series_id, since, checks, faults, ended_by, entity) ON quarantined_series TO tidemark_api;
GRANT SELECT ON sync_attempts TO tidemark_api;
-- The readiness check reads the list of migrations.
GRANT SELECT ON migrations TO tidemark_api;

REVOKE EXECUTE ON FUNCTION analyze_content(), analyze_register(), flush_search_lists(),
  similar_search_words(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_content(), analyze_register(), flush_search_lists() TO tidemark_import;
GRANT EXECUTE ON FUNCTION similar_search_words(text, integer) TO tidemark_api;

-- Withholding: an import sees every row, the API only what is served.

DO $$
DECLARE content text;
BEGIN
  FOREACH content IN ARRAY ARRAY[
    'sources', 'series', 'series_vintages', 'series_versions', 'observations', 'quarantined_series',
    'calendar_events', 'calendar_event_history', 'change_documents',
    'entities', 'entity_statements', 'register_vintages', 'relations', 'relation_vintages', 'registrants',
    'company_tickers', 'companies'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', content);
    EXECUTE format('CREATE POLICY %I ON %I TO tidemark_import USING (true) WITH CHECK (true)',
      'import_' || content, content);
  END LOOP;
  -- Readers see few sources, and each statement evaluates the subquery once.
  FOREACH content IN ARRAY ARRAY[
    'entities', 'register_vintages', 'relations', 'relation_vintages', 'registrants', 'company_tickers', 'companies'
  ] LOOP
    EXECUTE format('CREATE POLICY %I ON %I FOR SELECT TO tidemark_api USING (source_id IN (SELECT s.id FROM sources s))',
      'api_' || content, content);
  END LOOP;
END $$;

CREATE POLICY api_sources ON sources FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_series ON series FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_series_vintages ON series_vintages FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT 1 FROM series s WHERE s.id = series_id));
CREATE POLICY api_series_versions ON series_versions FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT FROM series s WHERE s.id = series_id));
CREATE POLICY api_quarantined_series ON quarantined_series FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT FROM series s WHERE s.id = series_id) OR EXISTS (
    SELECT FROM entities e WHERE e.lei = entity OR e.cik = substring(entity FROM '^CIK (\d+)$')::integer));
CREATE POLICY api_observations ON observations FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_calendar_events ON calendar_events FOR SELECT TO tidemark_api USING (NOT withheld);
CREATE POLICY api_calendar_event_history ON calendar_event_history FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT 1 FROM calendar_events e WHERE e.id = event_id));
CREATE POLICY api_change_documents ON change_documents FOR SELECT TO tidemark_api
  USING (sources <@ ARRAY(SELECT s.id FROM sources s));
