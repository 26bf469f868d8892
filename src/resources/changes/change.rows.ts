import type { Statement } from '../../database/snapshots.js';
import type { Locale, Localized } from '../../locale/locale.js';
import type { MissingReason } from '../../figures/figure.schema.js';
import type { UnitCode } from '../../figures/units.js';
import type { SourceEntity } from '../../sources/source.entity.js';
import type { ChangeEntity } from './change.entity.js';
import { constantOf, firstRows, pageRows, type RowLimit } from '../../database/statement-text.js';
import { CHANGE_KINDS, CHANGE_STATUSES } from './change.schema.js';
import { foundPage, type PositionWalk } from './found-page.rows.js';
import { spansOf, timeLeft, type TimeFilter } from './position-spans.rows.js';

export type ChangeSubject =
  | {
      readonly type: 'series';
      readonly indicator: string;
      readonly name: Localized;
      readonly shortName: Localized;
      readonly region: string;
      readonly regionName: Localized;
    }
  | { readonly type: 'instrument'; readonly key: string; readonly name: Localized }
  | { readonly type: 'entity'; readonly id: string; readonly name: string };

/** Decimals are texts, so that they keep every digit. */
export interface ChangeFigures {
  readonly unit: UnitCode;
  /** For an exchange rate: the ISO 4217 code of the currency whose amount it states. */
  readonly currency: string | null;
  readonly period: string;
  readonly actualValue: string;
  readonly previousValue: string | null;
  readonly previousPeriod: string;
  readonly previousMissing: MissingReason | null;
  readonly previousKnownSince: string | null;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
}

export interface ChangeRow
  extends
    Omit<
      ChangeEntity,
      | 'headline'
      | 'summary'
      | 'withdrawalReason'
      | 'dataVersion'
      | 'seriesId'
      | 'entityId'
      | keyof ChangeFigures
    >,
    Pick<SourceEntity, 'level'> {
  readonly headline: string;
  readonly summary: string;
  readonly origins: readonly string[];
  readonly subject: ChangeSubject;
  readonly figures: ChangeFigures | null;
  readonly regions: readonly string[];
  readonly coverage: readonly { key: string; name: Localized }[];
  readonly topics: readonly { slug: string; name: Localized }[];
  readonly entities: readonly { id: string; name: string }[];
  readonly companies: readonly { slug: string; name: string }[];
  readonly signals: readonly { id: string; title: Localized }[];
}

export interface ChangeFilter extends TimeFilter {
  readonly coverage?: string | undefined;
  readonly topic?: string | undefined;
  /** As stored: alpha-2 or an aggregate's code. Matches any of them. */
  readonly regions?: readonly string[] | undefined;
  /** Id of an entity at either end of the change. */
  readonly entity?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly minImportance?: number | undefined;
  readonly status?: string | undefined;
  /** A tsquery, as `changeQuery` writes it. */
  readonly words?: string | undefined;
  /** Exclusive: the last position of the previous page. */
  readonly below?: number | undefined;
}

const columns = (locale: string) => `
  c.id, c.position, c.kind, c.status, c.evidence_class AS "evidenceClass",
  c.headline ->> ${locale} AS headline, c.summary ->> ${locale} AS summary, c.importance,
  c.occurred_at AS "occurredAt", c.occurred_precision AS "occurredPrecision",
  c.occurred_basis AS "occurredBasis", c.published_at AS "publishedAt", c.updated_at AS "updatedAt",
  c.withdrawn_at AS "withdrawnAt", c.source_id AS source, p.level, coalesce(s.origins, '{}') AS origins,
  c.vintage_day AS "vintageDay", c.known_since AS "knownSince",
  CASE WHEN s.indicator IS NOT NULL THEN jsonb_build_object(
         'type', 'series', 'indicator', s.indicator, 'name', i.name, 'shortName', i.short_name,
         'region', s.region, 'regionName', r.name)
       WHEN s.instrument IS NOT NULL THEN jsonb_build_object('type', 'instrument', 'key', n.key, 'name', n.name)
       ELSE jsonb_build_object('type', 'entity', 'id', e.id, 'name', coalesce(e.name, e.lei)) END AS subject,
  CASE WHEN c.series_id IS NOT NULL THEN jsonb_build_object(
         'unit', coalesce(i.unit, n.unit), 'currency', coalesce(r.currency, n.currency), 'period', c.period,
         'actualValue', c.actual_value::text, 'previousValue', c.previous_value::text,
         'previousPeriod', c.previous_period, 'previousMissing', c.previous_missing,
         'previousKnownSince', c.previous_known_since, 'delta', c.delta::text,
         'deltaPercent', c.delta_percent::text) END AS figures,
  ARRAY(SELECT x.region FROM change_regions x WHERE x.position = c.position ORDER BY 1) AS regions,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'name', d.name) ORDER BY d.ordinal), '[]')
     FROM change_coverage x JOIN coverage_domains d ON d.key = x.coverage WHERE x.position = c.position) AS coverage,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name) ORDER BY t.ordinal), '[]')
     FROM change_topics x JOIN topics t ON t.slug = x.topic WHERE x.position = c.position) AS topics,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', coalesce(t.name, t.lei)) ORDER BY t.id), '[]')
     FROM change_entities x JOIN entities t ON t.id = x.entity WHERE x.position = c.position) AS entities,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', m.slug, 'name', t.name) ORDER BY m.slug), '[]')
     FROM change_entities x JOIN companies m ON m.entity_id = x.entity AND m.listed JOIN entities t ON t.id = x.entity
     WHERE x.position = c.position) AS companies,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title) ORDER BY g.rank DESC, g.id), '[]')
     FROM signal_changes x JOIN signals g ON g.id = x.signal WHERE x.position = c.position) AS signals`;

const JOINS = `
  JOIN sources p ON p.id = c.source_id
  LEFT JOIN series s ON s.id = c.series_id
  LEFT JOIN indicators i ON i.slug = s.indicator
  LEFT JOIN regions r ON r.code = s.region
  LEFT JOIN instruments n ON n.key = s.instrument
  LEFT JOIN entities e ON e.id = c.entity_id`;

/**
 * One page, newest position first, plus one row that tells whether another page follows. Each many-valued filter is a
 * descending range of its own (value, position) index; the statement then reads the rows of the page only. It first
 * converts times to ranges of positions and walks these one after another.
 */
export function changesStatement(filter: ChangeFilter, limit: number, locale: Locale): Statement {
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const below = filter.below === undefined ? null : bind(filter.below);
  const spans = spansOf(filter, below, bind);
  const within = (position: string): readonly string[] => [
    ...(below === null ? [] : [`${position} < ${below}`]),
    ...(spans === null ? [] : [`${position} BETWEEN span.first AND span.last`]),
  ];
  const conditions = [
    filter.status === undefined
      ? `c.status <> 'withdrawn'`
      : `c.status = ${constantOf(filter.status, CHANGE_STATUSES)}`,
  ];
  const { kinds, minImportance } = filter;
  if (kinds !== undefined) {
    const sorted = [...kinds].sort().map((kind) => constantOf(kind, CHANGE_KINDS));
    conditions.push(`c.kind IN (${sorted.join(', ')})`);
  }
  if (minImportance !== undefined) conditions.push(`c.importance >= ${Math.trunc(minImportance)}`);
  conditions.push(...timeLeft(filter, bind));
  const most = pageRows(limit, bind);
  const page = walk(filter, { conditions, within, spanned: spans !== null, below, most, bind });
  const sql = `
    WITH page AS MATERIALIZED (${spans === null ? page : spanBySpan(spans, page, most)})
    SELECT ${columns(`${bind(locale)}::text`)}
    FROM page c ${JOINS} ORDER BY c.position DESC`;
  return { sql, parameters };
}

/** Walks the newest span first and stops when the page is full. */
function spanBySpan(spans: string, page: string, most: RowLimit): string {
  const ordered = `
      SELECT c.* FROM (SELECT * FROM (${spans}) s ORDER BY first DESC) span CROSS JOIN LATERAL (${page}) c
      ORDER BY span.first DESC, c.position DESC`;
  return firstRows(ordered, most);
}

function walk(filter: ChangeFilter, way: PositionWalk): string {
  const { conditions, within, most, bind } = way;
  if (filter.words !== undefined) return foundPage(filter, way);
  const ranges = [
    ...MEMBERSHIPS.flatMap(({ table, column, value }) => {
      const wanted = value(filter);
      return wanted === undefined ? [] : [{ table, column, value: bind(wanted) }];
    }),
    ...(filter.regions === undefined
      ? []
      : [{ table: 'change_regions', column: 'region', value: regionOf(filter.regions, bind) }]),
  ].map(({ table, column, value }) => {
    const condition = [`${table}.${column} = ${value}`, ...within(`${table}.position`)].join(' AND ');
    return { table, condition };
  });
  const page =
    ranges.length > 0
      ? filteredPage(ranges, conditions, most)
      : firstRows(
          `SELECT c.* FROM changes c WHERE ${[...conditions, ...within('c.position')].join(' AND ')}
      ORDER BY c.position DESC`,
          most,
        );
  return isOne(filter.regions) ? page : regionByRegion(bind(filter.regions), page, most);
}

const isOne = (regions: readonly string[] = ['']): boolean => regions.length === 1;

const regionOf = (regions: readonly string[], bind: (value: unknown) => string): string =>
  isOne(regions) ? bind(regions[0]) : 'asked.region';

/**
 * Merges the newest page of each region and removes duplicates: short index walks instead of one through all changes.
 */
function regionByRegion(regions: string, page: string, most: RowLimit): string {
  const ordered = `
      SELECT DISTINCT ON (c.position) c.* FROM unnest(${regions}::text[]) AS asked (region) CROSS JOIN LATERAL (${page}) c
      ORDER BY c.position DESC`;
  return firstRows(ordered, most);
}

interface Membership {
  readonly table: string;
  readonly column: string;
  readonly value: (filter: ChangeFilter) => string | undefined;
}

const MEMBERSHIPS: readonly Membership[] = [
  { table: 'change_topics', column: 'topic', value: ({ topic }) => topic },
  { table: 'change_coverage', column: 'coverage', value: ({ coverage }) => coverage },
  { table: 'change_entities', column: 'entity', value: ({ entity }) => entity },
];

/** Walks the first range; `OFFSET 0` keeps the planner from walking all changes instead. */
function filteredPage(
  ranges: readonly { readonly table: string; readonly condition: string }[],
  conditions: readonly string[],
  most: RowLimit,
): string {
  const [first, ...others] = ranges.map(({ table }) => table);
  const joins = others.map((table) => `JOIN ${table} ON ${table}.position = ${first}.position`).join(' ');
  const ordered = `
      SELECT c.* FROM ${first} ${joins}
      CROSS JOIN LATERAL (
        SELECT * FROM changes c WHERE c.position = ${first}.position AND ${conditions.join(' AND ')} OFFSET 0) c
      WHERE ${ranges.map(({ condition }) => condition).join(' AND ')}
      ORDER BY ${first}.position DESC`;
  return firstRows(ordered, most);
}

export function changeStatement(id: string, locale: Locale): Statement {
  return {
    sql: `SELECT ${columns('$2::text')} FROM changes c ${JOINS} WHERE c.id = $1`,
    parameters: [id, locale],
  };
}

/** Changes at given positions, without withdrawn ones. */
export function positionsStatement(positions: readonly number[], locale: Locale): Statement {
  return {
    sql: `SELECT ${columns('$2::text')} FROM changes c ${JOINS}
          WHERE c.position = ANY ($1) AND c.status <> 'withdrawn' ORDER BY c.position DESC`,
    parameters: [positions, locale],
  };
}
