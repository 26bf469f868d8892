-- Functions of content. Each is replaced as a whole, so that a migration that changes one runs this file again. A function
-- of the owner finds temporary tables last, so that none takes the place of ours.

-- Whether a row of observations or relations was known at the end of a day. The planner puts the body in place of the
-- call, so that an index on the columns serves it.
CREATE OR REPLACE FUNCTION known_on(day date, valid_from date, valid_to date) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT valid_from <= day AND (valid_to IS NULL OR valid_to > day)
$$;

-- Withholding: "withheld" follows from sources, and nothing but these triggers sets it.

CREATE OR REPLACE FUNCTION series_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(NEW.origins) AS o(id) WHERE o.id NOT IN (SELECT s.id FROM sources s)) THEN
    RAISE EXCEPTION 'a series names an origin that is no source: %', NEW.origins USING ERRCODE = 'foreign_key_violation';
  END IF;
  NEW.withheld := EXISTS (
    SELECT 1 FROM sources s WHERE s.withheld AND (s.id = NEW.source_id OR s.id = ANY (NEW.origins)));
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION sources_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE series SET source_id = source_id WHERE source_id = NEW.id OR NEW.id = ANY (origins);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION calendar_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.withheld := EXISTS (SELECT 1 FROM sources s WHERE s.withheld AND s.id = NEW.source_id)
    OR EXISTS (SELECT 1 FROM series s WHERE s.withheld AND s.indicator = NEW.indicator AND s.region = NEW.region);
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION series_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calendar_events SET source_id = source_id WHERE indicator = NEW.indicator AND region = NEW.region;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION sources_events_withheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calendar_events SET source_id = source_id WHERE source_id = NEW.id;
  RETURN NULL;
END $$;

-- Removals: what is deleted or hidden is no longer served.

-- Arguments: the family, and the column of the key.
CREATE OR REPLACE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removals (family, key) VALUES (TG_ARGV[0], to_jsonb(OLD) ->> TG_ARGV[1])
  ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_removed_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removals (family, key)
  VALUES (coalesce('macro/' || OLD.indicator, 'markets'), coalesce(OLD.region, OLD.instrument))
  ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
  RETURN NULL;
END $$;

-- Companies of a withheld source stay as they are: their policy hides them.
CREATE OR REPLACE FUNCTION note_hidden_companies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO removals (family, key) SELECT 'companies', slug FROM companies WHERE source_id = NEW.id AND listed
  ON CONFLICT (family, key) DO UPDATE SET data_version = NULL;
  RETURN NULL;
END $$;

-- Lists.

CREATE OR REPLACE FUNCTION note_change_run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  beginning bigint := (SELECT min(position) FROM made);
BEGIN
  -- Positions at the end of the list are reused after their changes were deleted.
  DELETE FROM change_runs WHERE first_position >= beginning;
  UPDATE change_runs SET last_position = beginning - 1 WHERE last_position >= beginning;
  INSERT INTO change_runs
  SELECT data_version, min(position), max(position), min(occurred_at), max(occurred_at), min(published_at)
  FROM made GROUP BY data_version;
  RETURN NULL;
END $$;

-- Search.

-- Loads the library that defines the setting of similar_search_words.
SELECT show_limit();
-- A letter of a short word is in three of its trigrams: the default threshold would miss such words.
CREATE OR REPLACE FUNCTION similar_search_words(asked text, as_of integer) RETURNS SETOF text
LANGUAGE sql STABLE STRICT SET pg_trgm.similarity_threshold = 0.2 AS $$
  SELECT word FROM search_words
  WHERE word % asked AND length(word) BETWEEN length(asked) - 1 AND length(asked) + 1 AND since <= as_of
  ORDER BY similarity(word, asked) DESC, word LIMIT 50
$$;

-- New entries go to the pending list first; the publication empties it before it ends, so that no reader has to scan
-- it. Only an owner may do so.
CREATE OR REPLACE FUNCTION flush_search_lists() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['change_words_words', 'search_documents_words', 'search_words_similar']) AS i (name);
END $$;

-- Statistics of the planner. Only an owner may refresh them, and only an import knows when that is necessary.

CREATE OR REPLACE FUNCTION analyze_content() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  ANALYZE series, series_vintages, observations, entities, change_regions, change_coverage, change_topics,
    change_entities,
    changes (id, position, kind, status, occurred_at, published_at, updated_at, series_id, vintage_day);
END $$;

CREATE OR REPLACE FUNCTION analyze_register() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  ANALYZE entities, relations, relation_vintages, registrants, company_tickers, companies;
END $$;
