// Translates time filters into ranges of `position`.
import { beganSince } from '../removals.rows.js';

export interface TimeFilter {
  /** Inclusive. */
  readonly occurredFrom?: Date | undefined;
  /** Exclusive. */
  readonly occurredBefore?: Date | undefined;
  /** Inclusive; compares the newest publication of a change. */
  readonly publishedFrom?: Date | undefined;
}

type Bind = (value: unknown) => string;

/**
 * The disjoint ranges of positions (`first`, `last`) that contain the changes of a time: by `occurredAt` if the filter
 * has it, else by `publishedAt`. Null if the filter contains no time. `below`: an exclusive upper position.
 */
export function spansOf(filter: TimeFilter, below: string | null, bind: Bind): string | null {
  const { occurredFrom, occurredBefore, publishedFrom } = filter;
  if (occurredFrom !== undefined || occurredBefore !== undefined) {
    return occurred(
      occurredFrom && bind(occurredFrom),
      occurredBefore && bind(occurredBefore),
      below === null ? [] : [`r.first_position < ${below}`],
    );
  }
  return publishedFrom === undefined ? null : published(beganSince(bind(publishedFrom)), below);
}

/** One range of each run whose days overlap the window; only a run that begins or ends outside is searched. */
function occurred(from: string | undefined, before: string | undefined, conditions: readonly string[]): string {
  const reaching = [
    ...conditions,
    ...(from === undefined ? [] : [`r.occurred_last >= ${from}`]),
    ...(before === undefined ? [] : [`r.occurred_first < ${before}`]),
  ];
  const first =
    from === undefined
      ? 'r.first_position'
      : `CASE WHEN r.occurred_first >= ${from} THEN r.first_position ELSE (
          SELECT b.position FROM changes b WHERE b.data_version = r.data_version AND b.occurred_at >= ${from}
          ORDER BY b.occurred_at, b.position LIMIT 1) END`;
  const last =
    before === undefined
      ? 'r.last_position'
      : `CASE WHEN r.occurred_last < ${before} THEN r.last_position ELSE (
          SELECT b.position FROM changes b WHERE b.data_version = r.data_version AND b.occurred_at < ${before}
          ORDER BY b.occurred_at DESC, b.position DESC LIMIT 1) END`;
  return `SELECT ${first} AS first, ${last} AS last FROM change_runs r WHERE ${reaching.join(' AND ')}`;
}

/** The runs published since, and each change of an earlier run that was corrected, rendered again or withdrawn since. */
function published(from: string, below: string | null): string {
  const under = (position: string): string => (below === null ? '' : ` AND ${position} < ${below}`);
  return `
    SELECT r.first_position AS first, r.last_position AS last FROM change_runs r
    WHERE r.published_at >= ${from}${under('r.first_position')}
    UNION ALL
    SELECT b.position, b.position FROM changes b
    WHERE b.updated_at > b.published_at AND b.updated_at >= ${from} AND b.published_at < ${from}${under('b.position')}`;
}

/** The condition on changes within these ranges if the filter has both times: the ranges cover only `occurredAt`. */
export function timeLeft({ occurredFrom, occurredBefore, publishedFrom }: TimeFilter, bind: Bind): string[] {
  const lookedUp = occurredFrom !== undefined || occurredBefore !== undefined;
  return lookedUp && publishedFrom !== undefined ? [`c.updated_at >= ${beganSince(bind(publishedFrom))}`] : [];
}
