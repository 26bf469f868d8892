-- The search index. The publishing process normalises and splits the texts, so the server only compares them. Withheld
-- content is never indexed; docs/explanation/search.md has the reasons.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One row per subject and version of its texts: an old version stays for searches that began with it.
CREATE TABLE search_documents (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text COLLATE "C" NOT NULL CHECK (type IN ('signal','company','entity','country','indicator','instrument')),
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- Preference between documents that match equally.
  rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 100),
  -- The index partitions in the order in which a query reads them, each with a few thousand ids at most.
  partition integer NOT NULL,
  -- Each token begins with the number of the partition.
  words tsvector NOT NULL,
  -- Shown from the first of these data versions up to but not including the second.
  since integer NOT NULL REFERENCES publications,
  until integer REFERENCES publications,
  closed_at timestamptz,
  CONSTRAINT search_documents_versions CHECK (until > since),
  CONSTRAINT search_documents_closure CHECK ((until IS NULL) = (closed_at IS NULL))
);
CREATE UNIQUE INDEX search_documents_open ON search_documents (type, key) WHERE until IS NULL;
CREATE INDEX search_documents_closed ON search_documents (closed_at) WHERE until IS NOT NULL;
CREATE INDEX search_documents_words ON search_documents USING gin (words);
CREATE TABLE search_partitions (partition integer PRIMARY KEY);

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

-- Names as keys, in the order of their ranks.
CREATE TABLE search_names (
  name text COLLATE "C" NOT NULL,
  document integer NOT NULL REFERENCES search_documents ON DELETE CASCADE,
  rank smallint NOT NULL,
  -- The name without the legal form of a company, or in the singular.
  loose boolean NOT NULL,
  PRIMARY KEY (name, rank, document)
);
CREATE INDEX search_names_document ON search_names (document);

-- Latin words of documents: candidates for a word's beginning or a misspelling.
CREATE TABLE search_words (
  word text COLLATE "C" PRIMARY KEY,
  since integer NOT NULL REFERENCES publications
);
CREATE INDEX search_words_similar ON search_words USING gin (word gin_trgm_ops);

-- From this data version on, every version of the documents is still stored.
CREATE TABLE search_horizon (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  data_version integer NOT NULL
);
INSERT INTO search_horizon (data_version) VALUES (0);
