import { binding, firstRows, pageRows } from '../../../store/statement-text.js';
import type { Statement } from '../../../store/snapshots.js';
import { publishedFrom } from '../removals.rows.js';
import type { LegalEntity } from '../entities/legal-entity.entity.js';
import type { CompanyEntity } from './company.entity.js';

export interface EndRow extends Pick<LegalEntity, 'lei' | 'name'> {
  readonly entityId: string;
  readonly slug: string | null;
}

export interface CompanyRow
  extends
    Pick<CompanyEntity, 'slug' | 'country' | 'entityId' | 'subsidiaries' | 'consolidated' | 'changes' | 'source'>,
    Pick<LegalEntity, 'nameLanguage' | 'lei' | 'cik'> {
  readonly name: string;
  readonly tickers: readonly string[];
  readonly parent: (EndRow & { readonly source: string }) | null;
  /** The source of CIK and tickers. */
  readonly registrantSource: string | null;
}

export interface RelatedCompanyRow extends EndRow {
  readonly relation: 'parent' | 'ultimate_parent' | 'subsidiary';
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
  c.subsidiaries, c.consolidated, c.changes, c.source_id AS source, g.source_id AS "registrantSource"`;

const JOINS = `JOIN entities e ON e.id = c.entity_id LEFT JOIN registrants g ON g.cik = e.cik AND g.listed`;

export interface CompanyFilter {
  /** Alpha-2. */
  readonly country?: string | undefined;
  readonly publishedFrom?: Date | undefined;
  /** Slug of the last company of the previous page. */
  readonly after?: string | undefined;
}

/** One page by normalised name, plus one row that tells whether another page follows. */
export function companiesStatement({ country, publishedFrom: since, after }: CompanyFilter, limit: number): Statement {
  const { parameters, bind } = binding();
  const conditions = ['c.listed'];
  if (country !== undefined) conditions.push(`c.country = ${bind(country)}`);
  if (since !== undefined) conditions.push(publishedFrom('c.data_version', bind(since)));
  if (after !== undefined) {
    conditions.push(
      `(c.folded_name, c.slug) > (SELECT a.folded_name, a.slug FROM companies a WHERE a.slug = ${bind(after)})`,
    );
  }
  const sql = `
    WITH page AS MATERIALIZED (${firstRows(
      `SELECT c.* FROM companies c WHERE ${conditions.join(' AND ')} ORDER BY c.folded_name, c.slug`,
      pageRows(limit, bind),
    )})
    SELECT ${COLUMNS} FROM page c ${JOINS} ORDER BY c.folded_name, c.slug`;
  return { sql, parameters };
}

/** Companies in the order of their slugs. $1 slugs */
export const COMPANIES_OF_SLUGS = `
  SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS p (slug, ordinal)
    JOIN companies c ON c.slug = p.slug AND c.listed ${JOINS} ORDER BY p.ordinal`;

/** The alphabetical neighbours of an unknown slug that share its beginning. $1 slug */
export const SLUGS_AROUND = `
  SELECT slug FROM (
    (SELECT slug, listed FROM companies WHERE slug >= $1 ORDER BY slug LIMIT 50)
    UNION ALL (SELECT slug, listed FROM companies WHERE slug < $1 ORDER BY slug DESC LIMIT 50)) c
  WHERE c.listed`;

export const ONE_COMPANY = `SELECT ${COLUMNS} FROM companies c ${JOINS} WHERE c.slug = $1 AND c.listed`;

/** Parents of one entity, the direct ones first, then direct children by name; each end is looked up by its id. */
export const RELATIONS = `
  SELECT * FROM (
    SELECT CASE r.kind WHEN 'direct' THEN 'parent' ELSE 'ultimate_parent' END AS relation, o.id AS "entityId", o.lei, o.name, m.slug, o.country, r.since::text AS since,
           r.source_id AS source
    FROM relations r CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.id = r.parent OFFSET 0) o
      LEFT JOIN companies m ON m.entity_id = o.id AND m.listed
    WHERE r.child = $1 AND r.valid_to IS NULL
    UNION ALL
    SELECT 'subsidiary', o.id, o.lei, o.name, m.slug, o.country, r.since::text, r.source_id
    FROM relations r CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.id = r.child OFFSET 0) o
      LEFT JOIN companies m ON m.entity_id = o.id AND m.listed
    WHERE r.parent = $1 AND r.kind = 'direct' AND r.valid_to IS NULL) found
  ORDER BY array_position(ARRAY['parent', 'ultimate_parent', 'subsidiary'], relation), name COLLATE "C" NULLS LAST,
     "entityId" COLLATE "C" LIMIT 500`;
