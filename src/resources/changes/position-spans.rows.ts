// Where in the list, which is walked by position, the changes of a time stand.

export interface TimeFilter {
  /** Inclusive. */
  readonly occurredFrom?: Date | undefined;
  /** Exclusive. */
  readonly occurredBefore?: Date | undefined;
  /** Inclusive, on the newest publication of a change. */
  readonly publishedFrom?: Date | undefined;
}

type Bind = (value: unknown) => string;

/**
 * The ranges of positions (`first`, `last`) where the changes of that time stand, none of them within another: by
 * when they occurred, or else by when they were published. Null where the filter asks for no time. `below`: only
 * positions under it are wanted.
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
  return publishedFrom === undefined ? null : published(bind(publishedFrom), below);
}

/** One range of each run whose days reach into the window. */
function occurred(
  from: string | undefined,
  before: string | undefined,
  conditions: readonly string[],
): string {
  const reaching = [
    ...conditions,
    ...(from === undefined ? [] : [`r.occurred_last >= ${from}`]),
    ...(before === undefined ? [] : [`r.occurred_first < ${before}`]),
  ];
  const first =
    from === undefined
      ? 'r.first_position'
      : `(SELECT b.position FROM changes b WHERE b.data_version = r.data_version AND b.occurred_at >= ${from}
          ORDER BY b.occurred_at, b.position LIMIT 1)`;
  const last =
    before === undefined
      ? 'r.last_position'
      : `(SELECT b.position FROM changes b WHERE b.data_version = r.data_version AND b.occurred_at < ${before}
          ORDER BY b.occurred_at DESC, b.position DESC LIMIT 1)`;
  return `SELECT ${first} AS first, ${last} AS last FROM change_runs r WHERE ${reaching.join(' AND ')}`;
}

/** The runs published since, and each change of an earlier run that was corrected or withdrawn since. */
function published(from: string, below: string | null): string {
  const under = (position: string): string => (below === null ? '' : ` AND ${position} < ${below}`);
  return `
    SELECT r.first_position AS first, r.last_position AS last FROM change_runs r
    WHERE r.published_at >= ${from}${under('r.first_position')}
    UNION ALL
    SELECT b.position, b.position FROM changes b
    WHERE b.status <> 'verified' AND b.updated_at >= ${from} AND b.published_at < ${from}${under('b.position')}`;
}

/** What a change within such a range has yet to meet: of the two times only one has been looked up. */
export function timeLeft({ occurredFrom, occurredBefore, publishedFrom }: TimeFilter, bind: Bind): string[] {
  const lookedUp = occurredFrom !== undefined || occurredBefore !== undefined;
  return lookedUp && publishedFrom !== undefined ? [`c.updated_at >= ${bind(publishedFrom)}`] : [];
}
