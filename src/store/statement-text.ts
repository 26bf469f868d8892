/** A list has at most 100 items a page, or 1,000 for a copy; one row more tells whether another page follows. */
const MOST_ROWS = [101, 1_001] as const;

/** Collects the parameters of a statement. */
export function binding() {
  const parameters: unknown[] = [];
  return { parameters, bind: (value: unknown): string => `$${parameters.push(value)}` };
}

/** How many rows a statement returns. */
export interface RowLimit {
  /** The parameter with the number. */
  readonly parameter: string;
  /** A number that it never exceeds. */
  readonly most: number;
}

/** The rows of a page with the one that follows it. @throws Error for a page that is larger than any list has */
export function pageRows(limit: number, bind: (value: unknown) => string): RowLimit {
  const rows = limit + 1;
  const most = MOST_ROWS.find((one) => rows <= one);
  if (most === undefined) throw new Error(`No list has pages of ${limit}`);
  return { parameter: bind(rows), most };
}

/**
 * The first rows of an ordered statement, in its order. A statement is planned once for all limits, and of an unknown
 * limit the server expects a tenth of the table; the constant tells it that a page is short.
 */
export function firstRows(ordered: string, { parameter, most }: RowLimit): string {
  return `SELECT * FROM (${ordered} LIMIT ${most}) first_rows LIMIT ${parameter}`;
}

/**
 * A value as a constant of the statement, because how many changes have it decides how to find them: as a parameter it
 * would have the plan of all values. Only members of a closed set may be written into a statement.
 */
export function constantOf(value: string, closed: readonly string[]): string {
  if (!closed.includes(value)) throw new Error('Not a value of a closed set');
  return `'${value}'`;
}

/** The newest data version that a statement sees, as an expression. */
export const NEWEST_VERSION = '(SELECT coalesce(max(data_version), 0) FROM publications)';
