// Changes in the order of importance, which falls with the age of what happened.
import type { Statement } from '../../../store/snapshots.js';
import { beganSince } from '../removals.rows.js';
import { binding, firstRows, pageRows } from '../../../store/statement-text.js';
import { WALKED } from './found-page.rows.js';
import { PARTITION_SIZE } from '../../../domain/search/index-partitions.js';
import { conditionsOf, MEMBERSHIPS, newestFirst, shownPage, type ChangeFilter, type PageRow } from './change.rows.js';

/** How many changes a page counts and sorts. */
export const MOST_COUNTED = 1_000;

/** The place of a change in the order; exclusive as the end of the previous page. */
export interface Rank {
  readonly ranking: number;
  readonly position: number;
}

/** A page of changes in the order of importance. */
export interface ImportantPage {
  readonly filter: ChangeFilter;
  readonly after: Rank | undefined;
  readonly limit: number;
}

type Bind = (value: unknown) => string;

export type CountedRow = PageRow & {
  /** Number of changes that match; `MOST_COUNTED` + 1 if more do. */
  readonly matches: number;
};

const ORDER = 'c.ranking DESC, c.position DESC';

/**
 * One page, the most important first and of equal ones the newest, with the number of changes that match: walks as the
 * list by time does, but as far as `MOST_COUNTED` goes. The page is right unless more match.
 */
export function countedStatement({ filter, after, limit }: ImportantPage): Statement {
  const { parameters, bind } = binding();
  const most = { parameter: String(MOST_COUNTED + 1), most: MOST_COUNTED + 1 };
  const matching = newestFirst(filter, most, bind);
  const ordered = `SELECT * FROM matching c ${where(placeAfter(after, bind))} ORDER BY ${ORDER}`;
  const sql = shownPage({
    page: firstRows(ordered, pageRows(limit, bind)),
    order: ORDER,
    before: `matching AS MATERIALIZED (${matching}), `,
    also: '(SELECT count(*)::integer FROM matching) AS matches, ',
  });
  return { sql, parameters };
}

/** The same page where more match: walks all changes by importance and tests each. Many match, so few are tested. */
export function rankedStatement({ filter, after, limit }: ImportantPage): Statement {
  const { parameters, bind } = binding();
  const conditions = [
    ...conditionsOf(filter),
    ...placeAfter(after, bind),
    ...timesOf(filter, bind),
    ...membershipsOf(filter, bind),
  ];
  const ordered = `
      SELECT ${WALKED} FROM changes c ${where(conditions)} ORDER BY ${ORDER}`;
  const page = firstRows(ordered, pageRows(limit, bind));
  return { sql: shownPage({ page, order: ORDER }), parameters };
}

function timesOf({ occurredFrom, occurredBefore, publishedFrom }: ChangeFilter, bind: Bind): string[] {
  return [
    ...(occurredFrom === undefined ? [] : [`c.occurred_at >= ${bind(occurredFrom)}`]),
    ...(occurredBefore === undefined ? [] : [`c.occurred_at < ${bind(occurredBefore)}`]),
    ...(publishedFrom === undefined ? [] : [`c.updated_at >= ${beganSince(bind(publishedFrom))}`]),
  ];
}

function membershipsOf(filter: ChangeFilter, bind: Bind): string[] {
  const { regions, words } = filter;
  const isIn = (table: string, condition: string): string =>
    // `OFFSET 0` keeps the planner from reading all members first.
    `EXISTS (SELECT FROM ${table} m WHERE ${condition} AND m.position = c.position OFFSET 0)`;
  const partition = `(c.position / ${String(PARTITION_SIZE)})::text`;
  return [
    ...MEMBERSHIPS.flatMap(({ table, column, value }) => {
      const wanted = value(filter);
      return wanted === undefined ? [] : [isIn(table, `m.${column} = ${bind(wanted)}`)];
    }),
    ...(regions === undefined ? [] : [isIn('change_regions', `m.region = ANY (${bind(regions)}::text[])`)]),
    ...(words === undefined
      ? []
      : [isIn('change_words', `m.words @@ replace(${bind(words)}, '~', ${partition})::tsquery`)]),
  ];
}

function placeAfter(after: Rank | undefined, bind: Bind): string[] {
  if (after === undefined) return [];
  return [`(c.ranking, c.position) < (${bind(after.ranking)}::integer, ${bind(after.position)}::bigint)`];
}

const where = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
