import type { Statement } from '../../database/snapshots.js';
import type { LegalEntity } from '../entities/legal-entity.entity.js';
import type { CompanyEntity } from './company.entity.js';

export interface EndRow extends Pick<LegalEntity, 'lei' | 'name'> {
  readonly entityId: string;
  readonly slug: string | null;
}

export interface CompanyRow
  extends
    Pick<CompanyEntity, 'slug' | 'country' | 'entityId' | 'subsidiaries' | 'changes' | 'source'>,
    Pick<LegalEntity, 'nameLanguage' | 'lei' | 'cik'> {
  readonly name: string;
  readonly tickers: readonly string[];
  readonly parent: (EndRow & { readonly source: string }) | null;
  /** The source of CIK and tickers. */
  readonly registrantSource: string | null;
}

export interface RelatedCompanyRow extends EndRow {
  readonly relation: 'parent' | 'subsidiary';
  readonly country: string | null;
  readonly since: string | null;
  readonly source: string;
}

const COLUMNS = `
  c.slug, e.name, e.name_language AS "nameLanguage", e.lei, g.cik, c.country, e.id AS "entityId",
  ARRAY(SELECT k.ticker FROM company_tickers k WHERE k.cik = g.cik ORDER BY k.ordinal) AS tickers,
  (SELECT jsonb_build_object('entityId', p.id, 'lei', p.lei, 'name', p.name, 'slug', m.slug, 'source', r.source_id)
   FROM relations r JOIN entities p ON p.id = r.parent LEFT JOIN companies m ON m.entity_id = p.id AND m.listed
   WHERE r.child = e.id AND r.kind = 'direct' AND r.valid_to IS NULL ORDER BY p.lei LIMIT 1) AS parent,
  c.subsidiaries, c.changes, c.source_id AS source, g.source_id AS "registrantSource"`;

const JOINS = `JOIN entities e ON e.id = c.entity_id LEFT JOIN registrants g ON g.cik = e.cik AND g.listed`;

export interface CompanyFilter {
  /** Alpha-2. */
  readonly country?: string | undefined;
  /** Normalised words. */
  readonly words?: readonly string[] | undefined;
  /** Slug of the last company of the previous page. */
  readonly after?: string | undefined;
}

/** The longest prefix of a word that is a key of `company_words`. */
const KEY = 4;
/** Further words only filter: the index lookup uses the first ones. */
const MOST_KEYS = 4;

/**
 * One page by normalised name, plus one row that tells whether another page follows. The prefix of a word finds
 * companies in the order of the list; longer prefixes are compared row by row.
 */
export function companiesStatement({ country, words = [], after }: CompanyFilter, limit: number): Statement {
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const keys = words.slice(0, MOST_KEYS).map((word) => bind(Array.from(word).slice(0, KEY).join('')));
  const list = keys.length === 0 ? 'c' : 'w0';
  const conditions = [
    'c.listed',
    ...keys.map((key, index) => `w${index}.word = ${key}`),
    ...words
      .filter((word, index) => Array.from(word).length > KEY || index >= MOST_KEYS)
      .map((word) => `strpos(c.words, ${bind(` ${word}`)}) > 0`),
  ];
  if (country !== undefined) conditions.push(`c.country = ${bind(country)}`);
  if (after !== undefined) {
    conditions.push(
      `(${list}.folded_name, ${list}.slug) > (SELECT a.folded_name, a.slug FROM companies a WHERE a.slug = ${bind(after)})`,
    );
  }
  const joins = keys.map((_, index) =>
    index === 0 ? '' : `JOIN company_words w${index} ON w${index}.slug = w0.slug`,
  );
  const from =
    keys.length === 0
      ? 'companies c'
      : `company_words w0 ${joins.join(' ')} JOIN companies c ON c.slug = w0.slug`;
  const sql = `
    WITH page AS MATERIALIZED (
      SELECT c.* FROM ${from} WHERE ${conditions.join(' AND ')}
      ORDER BY ${list}.folded_name, ${list}.slug LIMIT ${bind(limit + 1)})
    SELECT ${COLUMNS} FROM page c ${JOINS} ORDER BY c.folded_name, c.slug`;
  return { sql, parameters };
}

/** The alphabetical neighbours of an unknown slug that share its beginning. $1 slug */
export const SLUGS_AROUND = `
  SELECT slug FROM (
    (SELECT slug, listed FROM companies WHERE slug >= $1 ORDER BY slug LIMIT 50)
    UNION ALL (SELECT slug, listed FROM companies WHERE slug < $1 ORDER BY slug DESC LIMIT 50)) c
  WHERE c.listed`;

export const ONE_COMPANY = `SELECT ${COLUMNS} FROM companies c ${JOINS} WHERE c.slug = $1 AND c.listed`;

/** Direct relations of one entity, parents first, then children by name; each end is looked up by its id. */
export const RELATIONS = `
  SELECT * FROM (
    SELECT 'parent' AS relation, o.id AS "entityId", o.lei, o.name, m.slug, o.country, r.since::text AS since,
           r.source_id AS source
    FROM relations r CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.id = r.parent OFFSET 0) o
      LEFT JOIN companies m ON m.entity_id = o.id AND m.listed
    WHERE r.child = $1 AND r.kind = 'direct' AND r.valid_to IS NULL
    UNION ALL
    SELECT 'subsidiary', o.id, o.lei, o.name, m.slug, o.country, r.since::text, r.source_id
    FROM relations r CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.id = r.child OFFSET 0) o
      LEFT JOIN companies m ON m.entity_id = o.id AND m.listed
    WHERE r.parent = $1 AND r.kind = 'direct' AND r.valid_to IS NULL) found
  ORDER BY relation, name COLLATE "C" NULLS LAST, "entityId" COLLATE "C" LIMIT 500`;
