// The checks of registers: what one delivery ends, renames or turns round. They read the staging tables of a register.
import type pg from 'pg';
import { readCatalogue } from '../catalogue/catalogue.js';
import { REGISTER_CHECKS, type Finding, type RegisterCheck } from '../publication/finding.js';
import { registerLimits } from './limits.js';
import { ownMember } from '../../domain/names/own-member.js';
import { flagEntities, NAMES, TICKERS } from './entity-checks.js';

/** Fewer rows than these are a company's own news. */
const FEW = 5;
const MOST_CELLS = 50;

interface RegisterQuery {
  /** Which limit of the source its share is compared with, or from how many rows on they are implausible. */
  readonly limit: 'closed' | 'restated' | number;
  /**
   * Lists `source`, `name` and `what` of a row, `held` and `value`, and whether it `fails`; the others are what its share
   * is of. What the vintage of the day stated is not compared: a replacement corrects it.
   */
  readonly sql: string;
  readonly says: (share: string) => string;
}

const failedOf = (check: RegisterCheck): string => `
  SELECT source, subject AS name, what, held, value, true AS fails FROM failed_entities WHERE check_name = '${check}'`;

const QUERIES: Readonly<Record<RegisterCheck, RegisterQuery>> = {
  renamed: { limit: 'restated', sql: NAMES, says: (share) => `given another name: ${share} of those that are stored` },
  relocated: {
    limit: 'restated',
    sql: `
      SELECT t.source_id AS source, t.lei AS name, 'country' AS what, e.country AS held, t.country AS value,
             t.country IS DISTINCT FROM e.country AS fails
      FROM staged_entities_distinct t JOIN entities e ON e.lei = t.lei
      WHERE e.country IS NOT NULL AND e.known_on < $1 AND e.source_id = t.source_id`,
    says: (share) => `placed in another country: ${share} of those that are stored`,
  },
  inactive: {
    limit: 'closed',
    sql: `
      SELECT t.source_id AS source, t.lei AS name, 'status' AS what, e.status AS held, t.status AS value,
             t.status <> 'active' AS fails
      FROM staged_entities_distinct t JOIN entities e ON e.lei = t.lei
      WHERE e.status = 'active' AND e.known_on < $1 AND e.source_id = t.source_id`,
    says: (share) => `no longer active: ${share} of those that are stored`,
  },
  ended: {
    limit: 'closed',
    sql: `
      SELECT a.source_id AS source, a.child AS name, a.kind || ' parent' AS what, a.parent AS held, null AS value,
             a.action = 'close' AS fails
      FROM relation_actions a WHERE a.action <> 'open' AND NOT a.older AND NOT a.held`,
    says: (share) => `ended: ${share} of the relations that are stored`,
  },
  reversed: {
    limit: 3,
    sql: `
      SELECT a.source_id AS source, a.child AS name, a.kind || ' parent' AS what, 'its child' AS held,
             a.parent AS value, true AS fails
      FROM relation_actions a JOIN entities c ON c.lei = a.child JOIN entities p ON p.lei = a.parent
        JOIN relations o ON o.child = p.id AND o.parent = c.id AND o.kind = a.kind AND o.valid_to IS NULL
      WHERE a.action = 'open' AND o.valid_from < $1`,
    says: () => 'parents of what is stored as their parent: the ends of the relations may be swapped',
  },
  unlisted: {
    limit: 'closed',
    sql: `
      SELECT r.source_id AS source, 'CIK ' || r.cik AS name, 'registrant' AS what, r.name AS held, t.name AS value,
             t.cik IS NULL AS fails
      FROM registrants r LEFT JOIN staged_registrants_distinct t ON t.cik = r.cik
      WHERE r.listed AND r.known_on <= $1 AND EXISTS (SELECT FROM staged_registrants_distinct)
        AND NOT EXISTS (SELECT FROM waiting_entities w WHERE w.subject = 'CIK ' || r.cik)`,
    says: (share) => `no longer listed: ${share} of those that are stored; the list may be cut`,
  },
  requoted: {
    limit: 'restated',
    sql: TICKERS,
    says: (share) => `quoted under other tickers: ${share} of those that are stored`,
  },
  exchanged: {
    limit: 1,
    sql: failedOf('exchanged'),
    says: () => 'given the names or tickers of each other: their identifiers may be swapped',
  },
  circular: { limit: 1, sql: failedOf('circular'), says: () => 'parents that are descendants of their child' },
};

const LIST = `
  SELECT source, name, what, held, value, count, share FROM (
    SELECT g.*, count(*) FILTER (WHERE fails) OVER (PARTITION BY source) AS count,
           avg(CASE WHEN fails THEN 1 ELSE 0 END) OVER (PARTITION BY source)::float8 AS share,
           row_number() OVER (PARTITION BY source, fails ORDER BY name) AS number
    FROM given g) n
  WHERE fails AND number <= ${MOST_CELLS} ORDER BY source, number`;

interface Row {
  readonly source: string;
  readonly name: string;
  readonly what: string;
  readonly held: string | null;
  readonly value: string | null;
  readonly count: number;
  readonly share: number;
}

/**
 * What is implausible about a register, after `planRelationActions`; `failed_entities` has the entities that fail alone.
 * @param replaces whether the delivery replaces what is stored of its day
 */
export async function auditRegister(client: pg.PoolClient, vintage: string, replaces: boolean): Promise<Finding[]> {
  await flagEntities(client, vintage, replaces);
  const limits = registerLimits(readCatalogue());
  const findings: Finding[] = [];
  for (const check of REGISTER_CHECKS) {
    const { sql, limit, says } = QUERIES[check];
    const { rows } = await client.query<Row>(`WITH day AS (SELECT $1::date), given AS (${sql}) ${LIST}`, [vintage]);
    for (const source of new Set(rows.map((row) => row.source))) {
      const cells = rows.filter((row) => row.source === source);
      const { count = 0, share = 0 } = cells[0] ?? {};
      const isFew =
        typeof limit === 'number' ? count < limit : count < FEW || share <= (ownMember(limits, source)?.[limit] ?? 0);
      if (isFew) continue;
      findings.push({
        check,
        subject: source,
        reason: says(`${Math.round(share * 1_000) / 10} %`),
        count,
        cells: cells.map(({ name, what, held, value }) => ({
          series: name,
          period: what,
          held,
          value,
          file: null,
          line: null,
        })),
      });
    }
  }
  return findings;
}
