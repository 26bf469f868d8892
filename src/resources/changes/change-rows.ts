import type { Locale, Localized } from '../../locale/locale.js';
import type { MissingReason } from '../../figures/figure.schema.js';
import type { UnitCode } from '../../figures/units.js';
import type { SourceLevel } from '../../sources/source.schema.js';
import type { Change } from './change.schema.js';

export interface ChangeRow {
  readonly id: string;
  readonly position: number;
  readonly kind: Change['kind'];
  readonly status: 'verified' | 'corrected' | 'withdrawn';
  readonly evidenceClass: Change['evidenceClass'];
  readonly headline: string;
  readonly summary: string;
  readonly importance: number;
  readonly occurredAt: Date;
  readonly occurredPrecision: 'day' | 'instant';
  readonly occurredBasis: Change['occurredBasis'];
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly withdrawnAt: Date | null;
  readonly source: string;
  readonly level: SourceLevel;
  readonly origins: readonly string[];
  readonly indicator: string;
  readonly indicatorName: Localized;
  readonly shortName: Localized;
  readonly unit: UnitCode;
  readonly region: string;
  readonly regionName: Localized;
  readonly period: string;
  readonly vintageDay: string;
  readonly actualValue: string;
  readonly previousValue: string | null;
  readonly previousPeriod: string;
  readonly previousBasis: 'period' | 'vintage';
  readonly previousMissing: MissingReason | null;
  readonly previousKnownSince: string | null;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  readonly countries: readonly string[];
  readonly coverage: readonly { key: string; name: Localized }[];
  readonly topics: readonly { slug: string; name: Localized }[];
}

export interface ChangeFilter {
  readonly coverage?: string | undefined;
  readonly topic?: string | undefined;
  /** As stored: alpha-2 or an aggregate's code. */
  readonly region?: string | undefined;
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  /** Inclusive. */
  readonly occurredFrom?: Date | undefined;
  /** Exclusive. */
  readonly occurredBefore?: Date | undefined;
  /** Inclusive, on the newest publication of a change. */
  readonly publishedFrom?: Date | undefined;
  /** Exclusive: the place where the page before ended. */
  readonly below?: number | undefined;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

const columns = (locale: string) => `
  c.id, c.position, c.kind, c.status, c.evidence_class AS "evidenceClass",
  c.headline ->> ${locale} AS headline, c.summary ->> ${locale} AS summary, c.importance,
  c.occurred_at AS "occurredAt", c.occurred_precision AS "occurredPrecision",
  c.occurred_basis AS "occurredBasis", c.published_at AS "publishedAt", c.updated_at AS "updatedAt",
  c.withdrawn_at AS "withdrawnAt", c.source_id AS source, p.level, s.origins,
  s.indicator, i.name AS "indicatorName", i.short_name AS "shortName", i.unit,
  s.region, r.name AS "regionName", c.period, c.vintage_day AS "vintageDay",
  c.actual_value AS "actualValue", c.previous_value AS "previousValue",
  c.previous_period AS "previousPeriod", c.previous_basis AS "previousBasis",
  c.previous_missing AS "previousMissing", c.previous_known_since AS "previousKnownSince",
  c.delta, c.delta_percent AS "deltaPercent",
  ARRAY(SELECT x.region FROM change_regions x WHERE x.position = c.position ORDER BY 1) AS countries,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'name', d.name) ORDER BY d.ordinal), '[]')
     FROM change_coverage x JOIN coverage_domains d ON d.key = x.coverage WHERE x.position = c.position) AS coverage,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name) ORDER BY t.ordinal), '[]')
     FROM change_topics x JOIN topics t ON t.slug = x.topic WHERE x.position = c.position) AS topics`;

const JOINS = `
  JOIN series s ON s.id = c.series_id
  JOIN indicators i ON i.slug = s.indicator
  JOIN regions r ON r.code = s.region
  JOIN sources p ON p.id = c.source_id`;

/**
 * One page, newest position first, and one row more to tell whether another follows. Each many-valued filter
 * is a descending range of its own (value, position) index; the rows are then read for the page only.
 */
export function pageStatement(filter: ChangeFilter, limit: number, locale: Locale): Statement {
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const below = filter.below === undefined ? null : bind(filter.below);
  const ranges = MEMBERSHIPS.flatMap(({ table, column, value }) => {
    const wanted = value(filter);
    if (wanted === undefined) return [];
    const bounded = below === null ? '' : ` AND ${table}.position < ${below}`;
    return [{ table, condition: `${table}.${column} = ${bind(wanted)}${bounded}` }];
  });
  const conditions = [
    filter.status === undefined ? `c.status <> 'withdrawn'` : `c.status = ${bind(filter.status)}`,
  ];
  if (filter.kind !== undefined) conditions.push(`c.kind = ${bind(filter.kind)}`);
  if (filter.occurredFrom) conditions.push(`c.occurred_at >= ${bind(filter.occurredFrom)}`);
  if (filter.occurredBefore) conditions.push(`c.occurred_at < ${bind(filter.occurredBefore)}`);
  if (filter.publishedFrom) conditions.push(`c.updated_at >= ${bind(filter.publishedFrom)}`);
  const most = bind(limit + 1);
  const sql = `
    WITH page AS MATERIALIZED (${
      ranges.length === 0
        ? `
      SELECT c.* FROM changes c
      WHERE ${[...conditions, ...(below === null ? [] : [`c.position < ${below}`])].join(' AND ')}
      ORDER BY c.position DESC LIMIT ${most}`
        : filteredPage(ranges, conditions, most)
    })
    SELECT ${columns(`${bind(locale)}::text`)}
    FROM page c ${JOINS} ORDER BY c.position DESC`;
  return { sql, parameters };
}

interface Membership {
  readonly table: string;
  readonly column: string;
  readonly value: (filter: ChangeFilter) => string | undefined;
}

const MEMBERSHIPS: readonly Membership[] = [
  { table: 'change_regions', column: 'region', value: ({ region }) => region },
  { table: 'change_topics', column: 'topic', value: ({ topic }) => topic },
  { table: 'change_coverage', column: 'coverage', value: ({ coverage }) => coverage },
];

/** Walks the first range; `OFFSET 0` keeps the planner from walking all changes beside it instead. */
function filteredPage(
  ranges: readonly { readonly table: string; readonly condition: string }[],
  conditions: readonly string[],
  most: string,
): string {
  const [first, ...others] = ranges.map(({ table }) => table);
  const joins = others.map((table) => `JOIN ${table} ON ${table}.position = ${first}.position`).join(' ');
  return `
      SELECT c.* FROM ${first} ${joins}
      CROSS JOIN LATERAL (
        SELECT * FROM changes c WHERE c.position = ${first}.position AND ${conditions.join(' AND ')} OFFSET 0) c
      WHERE ${ranges.map(({ condition }) => condition).join(' AND ')}
      ORDER BY ${first}.position DESC LIMIT ${most}`;
}

export function oneStatement(id: string, locale: Locale): Statement {
  return {
    sql: `SELECT ${columns('$2::text')} FROM changes c ${JOINS} WHERE c.id = $1`,
    parameters: [id, locale],
  };
}
