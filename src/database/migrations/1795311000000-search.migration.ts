import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The search index. The publishing process normalises and splits the texts, so the server only compares them. Withheld
 * content is never indexed; docs/explanation/search.md has the reasons.
 */
export class Search1795311000000 implements MigrationInterface {
  readonly name = 'Search1795311000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query(DOCUMENTS);
    await runner.query(WORDS);
    await runner.query(CHANGES);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION similar_search_words(text, integer), flush_search_lists();
      DROP TABLE change_words, search_words, search_shelves, search_horizon, search_names, search_texts, search_documents;`);
  }
}

const DOCUMENTS = `
-- One row per subject and version of its texts: an old version stays for searches that began with it.
CREATE TABLE search_documents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text COLLATE "C" NOT NULL CHECK (type IN ('signal','company','entity','country','indicator','instrument')),
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- Preference between documents that match equally.
  rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 100),
  -- The index partitions in the order in which a query reads them, each with a few thousand ids at most.
  shelf integer NOT NULL,
  -- Each token begins with the number of the partition.
  words tsvector NOT NULL,
  -- Shown from the first of these revisions up to but not including the second.
  since integer NOT NULL REFERENCES revisions,
  until integer REFERENCES revisions CHECK (until > since),
  closed_at timestamptz,
  CHECK ((until IS NULL) = (closed_at IS NULL))
);
CREATE UNIQUE INDEX search_documents_open ON search_documents (type, key) WHERE until IS NULL;
CREATE INDEX search_documents_closed ON search_documents (closed_at) WHERE until IS NOT NULL;
CREATE INDEX search_documents_words ON search_documents USING gin (words);
CREATE TABLE search_shelves (shelf integer PRIMARY KEY);

-- Separate from the words, so that many matches lie on few pages.
CREATE TABLE search_texts (
  document integer PRIMARY KEY REFERENCES search_documents ON DELETE CASCADE,
  title localized NOT NULL,
  snippet localized,
  -- Folded names, in parts separated by a space: the score compares the query with them.
  names text[] NOT NULL,
  facts jsonb NOT NULL,
  sources text[] NOT NULL,
  fingerprint text NOT NULL
);

CREATE TABLE search_names (
  name text COLLATE "C" NOT NULL,
  document integer NOT NULL REFERENCES search_documents ON DELETE CASCADE,
  PRIMARY KEY (name, document)
);
CREATE INDEX search_names_document ON search_names (document);

-- From this revision on, every version of the documents is still stored.
CREATE TABLE search_horizon (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  revision integer NOT NULL
);
INSERT INTO search_horizon (revision) VALUES (0);
`;

const WORDS = `
-- Latin words of documents: candidates for a word's beginning or a misspelling.
CREATE TABLE search_words (
  word text COLLATE "C" PRIMARY KEY,
  since integer NOT NULL REFERENCES revisions
);
CREATE INDEX search_words_similar ON search_words USING gin (word gin_trgm_ops);

-- Loads the library that defines the function's setting.
SELECT show_limit();
-- A letter of a short word is in three of its trigrams: the default threshold would miss such words.
CREATE FUNCTION similar_search_words(asked text, as_of integer) RETURNS SETOF text
LANGUAGE sql STABLE STRICT SET pg_trgm.similarity_threshold = 0.2 AS $$
  SELECT word FROM search_words
  WHERE word % asked AND length(word) BETWEEN length(asked) - 1 AND length(asked) + 1 AND since <= as_of
  ORDER BY similarity(word, asked) DESC, word LIMIT 50
$$;
`;

const CHANGES = `
-- The words of a change, and facet tokens for its filters; each begins with the number of its index partition, so that
-- no list is longer than a partition.
CREATE TABLE change_words (
  position bigint PRIMARY KEY REFERENCES changes (position) ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX change_words_words ON change_words USING gin (words);

-- New entries go to the pending list first; the publication empties it before it ends, so that no reader has to scan
-- it. Only an owner may do so.
CREATE FUNCTION flush_search_lists() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM gin_clean_pending_list(name::regclass)
  FROM unnest(ARRAY['change_words_words', 'search_documents_words', 'search_words_similar']) AS i (name);
END $$;
`;

const RIGHTS = `
REVOKE EXECUTE ON FUNCTION similar_search_words(text, integer), flush_search_lists() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flush_search_lists() TO tidemark_import;
GRANT USAGE ON SEQUENCE search_documents_id_seq TO tidemark_import;
GRANT EXECUTE ON FUNCTION similar_search_words(text, integer) TO tidemark_api;
GRANT SELECT ON search_documents, search_shelves, search_texts, search_names, search_words, search_horizon,
  change_words TO tidemark_api;
GRANT SELECT, UPDATE ON search_horizon TO tidemark_import;
GRANT SELECT, INSERT, UPDATE, DELETE ON search_documents, search_shelves, search_texts, search_names, search_words,
  change_words TO tidemark_import;
`;
