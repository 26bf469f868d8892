import type { Statement } from '../../../store/snapshots.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { ChangeEntity } from './change.entity.js';
import type { ChangeDocumentEntity } from './change-document.entity.js';
import {
  binding,
  constantOf,
  firstRows,
  NEWEST_VERSION,
  pageRows,
  type RowLimit,
} from '../../../store/statement-text.js';
import { CHANGE_KINDS, CHANGE_STATUSES } from './change.schema.js';
import { foundPage, WALKED, type PositionWalk } from './found-page.rows.js';
import { spansOf, timeLeft, type TimeFilter } from './position-spans.rows.js';

/** Where a change stands in a list; what it shows is its document. */
export type ChangeRow = Pick<ChangeEntity, 'id' | 'position' | 'ranking' | 'occurredAt' | 'withdrawnAt'>;

/** A row of a page. The only row of an empty page has no change. */
export type PageRow = (ChangeRow | { readonly [K in keyof ChangeRow]: null }) & SeenVersion;

/** A document of a change that is neither withdrawn nor withheld. */
export type DocumentRow = SeenVersion &
  Pick<ChangeDocumentEntity, 'sources' | 'subject' | 'periods'> & {
    /** null in the only row of none. */
    readonly position: number | null;
    /** JSON, without id and links. */
    readonly document: string;
  };

interface SeenVersion {
  /** The newest data version that the statement saw. */
  readonly newest: number;
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

const COLUMNS = `
  n.newest, c.id, c.position, c.ranking, c.occurred_at AS "occurredAt", c.withdrawn_at AS "withdrawnAt"`;

/** One row at least, so that the version is known of an empty page too. */
const SEEN = `(SELECT ${NEWEST_VERSION} AS newest) n`;

export const isChange = (row: PageRow): row is ChangeRow & PageRow => row.id !== null;

/**
 * One page, newest position first, plus one row that tells whether another page follows. Each many-valued filter is a
 * descending range of its own (value, position) index; the statement then reads the rows of the page only. It first
 * converts times to ranges of positions and walks these one after another.
 */
export function changesStatement(filter: ChangeFilter, limit: number): Statement {
  const { parameters, bind } = binding();
  const page = newestFirst(filter, pageRows(limit, bind), bind);
  return { sql: shownPage({ page, order: 'c.position DESC' }), parameters };
}

interface ShownPage {
  /** A statement whose rows have `WALKED`. */
  readonly page: string;
  readonly order: string;
  /** Common tables that the page or `also` reads, and columns of the statement that are not of a change. */
  readonly before?: string;
  readonly also?: string;
}

export const shownPage = ({ page, order, before = '', also = '' }: ShownPage): string => `
    WITH ${before}page AS MATERIALIZED (${page})
    SELECT ${also}${COLUMNS} FROM ${SEEN} LEFT JOIN page c ON true ORDER BY ${order}`;

/** The first changes of a filter, newest position first. */
export function newestFirst(filter: ChangeFilter, most: RowLimit, bind: (value: unknown) => string): string {
  const below = filter.below === undefined ? null : bind(filter.below);
  const spans = spansOf(filter, below, bind);
  const within = (position: string): readonly string[] => [
    ...(below === null ? [] : [`${position} < ${below}`]),
    ...(spans === null ? [] : [`${position} BETWEEN span.first AND span.last`]),
  ];
  const conditions = [...conditionsOf(filter), ...timeLeft(filter, bind)];
  const page = walk(filter, { conditions, within, spanned: spans !== null, below, most, bind });
  return spans === null ? page : spanBySpan(spans, page, most);
}

/** Conditions on the row of a change. */
export function conditionsOf({ status, kinds, minImportance }: ChangeFilter): string[] {
  const conditions = [
    status === undefined ? `c.status <> 'withdrawn'` : `c.status = ${constantOf(status, CHANGE_STATUSES)}`,
  ];
  if (kinds !== undefined) {
    const sorted = [...kinds].sort().map((kind) => constantOf(kind, CHANGE_KINDS));
    conditions.push(`c.kind IN (${sorted.join(', ')})`);
  }
  if (minImportance !== undefined) conditions.push(`c.importance >= ${Math.trunc(minImportance)}`);
  return conditions;
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
          `SELECT ${WALKED} FROM changes c WHERE ${[...conditions, ...within('c.position')].join(' AND ')}
      ORDER BY c.position DESC`,
          most,
        );
  return isOne(filter.regions) ? page : regionByRegion(bind(filter.regions), page, most);
}

const isOne = (regions: readonly string[] = ['']): boolean => regions.length === 1;

const regionOf = (regions: readonly string[], bind: (value: unknown) => string): string =>
  isOne(regions) ? bind(regions[0]) : 'wanted.region';

/**
 * Merges the newest page of each region and removes duplicates: short index walks instead of one through all changes.
 */
function regionByRegion(regions: string, page: string, most: RowLimit): string {
  const ordered = `
      SELECT DISTINCT ON (c.position) c.* FROM unnest(${regions}::text[]) AS wanted (region) CROSS JOIN LATERAL (${page}) c
      ORDER BY c.position DESC`;
  return firstRows(ordered, most);
}

interface Membership {
  readonly table: string;
  readonly column: string;
  readonly value: (filter: ChangeFilter) => string | undefined;
}

export const MEMBERSHIPS: readonly Membership[] = [
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
        SELECT ${WALKED} FROM changes c WHERE c.position = ${first}.position AND ${conditions.join(' AND ')} OFFSET 0) c
      WHERE ${ranges.map(({ condition }) => condition).join(' AND ')}
      ORDER BY ${first}.position DESC`;
  return firstRows(ordered, most);
}

export function changeStatement(id: string): Statement {
  return { sql: `SELECT ${COLUMNS} FROM ${SEEN} CROSS JOIN changes c WHERE c.id = $1`, parameters: [id] };
}

/** An indicator in a region, or an instrument. */
export type SeriesName = { readonly indicator: string; readonly region: string } | { readonly instrument: string };

/** The newest changes of a series, without withdrawn ones. */
export function seriesStatement(name: SeriesName, limit: number): Statement {
  const isOne = 'instrument' in name ? 's.instrument = $1' : 's.indicator = $1 AND s.region = $2';
  const names = 'instrument' in name ? [name.instrument] : [name.indicator, name.region];
  const page = `
      SELECT ${WALKED} FROM series s JOIN changes c ON c.series_id = s.id AND c.status <> 'withdrawn'
      WHERE ${isOne} ORDER BY c.position DESC LIMIT $${String(names.length + 1)}`;
  return { sql: shownPage({ page, order: 'c.position DESC' }), parameters: [...names, limit] };
}

export interface CorrectionRow {
  readonly correctedAt: Date;
  readonly dataVersion: number;
  readonly actual: string | null;
  readonly previous: string | null;
}

/** $1 id of a change */
export const CORRECTIONS = `
  SELECT corrected_at AS "correctedAt", data_version AS "dataVersion", actual_value AS actual, previous_value AS previous
  FROM change_corrections WHERE change_id = $1 ORDER BY data_version`;

/** Changes at given positions, without withdrawn ones. */
export function positionsStatement(positions: readonly number[]): Statement {
  return {
    sql: `SELECT ${COLUMNS} FROM ${SEEN} CROSS JOIN changes c
          WHERE c.position = ANY ($1) AND c.status <> 'withdrawn' ORDER BY c.position DESC`,
    parameters: [positions],
  };
}

/** A policy hides a document with any source that it cites. */
export function documentsStatement(positions: readonly number[], locale: Locale): Statement {
  return {
    sql: `SELECT n.newest, d.position, d.${locale} AS document, d.sources, d.subject, d.periods
          FROM ${SEEN} LEFT JOIN change_documents d ON d.position = ANY ($1)`,
    parameters: [positions],
  };
}
