import type { Localized } from '../../locale/locale.js';

export interface CandidateRow {
  readonly id: number;
  readonly type: string;
  readonly key: string;
  readonly rank: number;
  readonly names: readonly string[];
  readonly whole: boolean;
}

export interface ShownRow {
  readonly id: number;
  readonly title: Localized;
  readonly snippet: Localized | null;
  readonly kind: string | null;
  readonly tickers: readonly string[] | null;
  readonly country: Localized | null;
  readonly indicators: number;
  readonly sources: readonly string[];
}

/** The revision that a search ranks by: the one that its walk began with while its documents are all held. */
export const AS_OF = `
  SELECT CASE WHEN $1::integer >= h.revision THEN $1::integer
              ELSE (SELECT coalesce(max(id), 0) FROM revisions) END AS revision
  FROM search_horizon h`;

const SHOWN = `d.since <= $1 AND (d.until IS NULL OR d.until > $1) AND ($2::text IS NULL OR d.type = $2)`;

/** Looks into one shelf after another and stops with enough; `OFFSET 0` keeps the planner from another order. */
const matching = (query: string, most: number): string => `
  (SELECT f.id FROM (SELECT shelf FROM search_shelves ORDER BY shelf) s
   CROSS JOIN LATERAL (
     SELECT d.id FROM search_documents d
     WHERE d.words @@ replace(${query}, '~', s.shelf::text)::tsquery AND ${SHOWN} ORDER BY d.id OFFSET 0) f
   LIMIT ${String(most)})`;

/** Names that begin with all that was asked: what words alone may find too much beside. */
const BEGINNING = `
  (SELECT d.id FROM (
     SELECT DISTINCT n.name, n.document FROM search_names n
     WHERE n.name >= $3 AND n.name < $3 || chr(1114111) ORDER BY n.name, n.document LIMIT 100) n
   CROSS JOIN LATERAL (
     SELECT d.id FROM search_documents d WHERE d.id = n.document AND ${SHOWN} OFFSET 0) d)`;

const measured = (found: string, whole: string): string => `
  WITH found AS (${found})
  SELECT d.id, d.type, d.key, d.rank, d.names, ${whole} AS whole
  FROM (SELECT id, bool_or(whole) AS whole FROM found GROUP BY id) f
    CROSS JOIN LATERAL (
      SELECT d.id, d.type, d.key, d.rank, t.names
      FROM search_documents d JOIN search_texts t ON t.document = d.id WHERE d.id = f.id OFFSET 0) d`;

/** All words, or a name that begins so. */
export const WITH_ALL = measured(
  `SELECT id, false AS whole FROM ${BEGINNING} b UNION ALL SELECT id, true FROM ${matching('$4', 100)} m`,
  'f.whole',
);

/** Any of the words. */
export const WITH_ANY = measured(`SELECT id, false AS whole FROM ${matching('$3', 100)} m`, 'false');

/** Texts of one page. */
export const TEXTS = `
  SELECT d.id, t.title, t.snippet, t.facts ->> 'kind' AS kind,
    CASE WHEN t.facts ? 'tickers' THEN ARRAY(SELECT jsonb_array_elements_text(t.facts -> 'tickers')) END AS tickers,
    (SELECT r.name FROM regions r WHERE r.code = t.facts ->> 'country') AS country,
    CASE WHEN d.type = 'country' THEN (SELECT count(*) FROM series s WHERE s.region = d.key) ELSE 0 END AS indicators,
    t.sources
  FROM search_documents d JOIN search_texts t ON t.document = d.id WHERE d.id = ANY ($1)`;
