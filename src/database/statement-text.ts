/** No page is longer, with the row that tells whether another page follows. */
const MOST_ROWS = 101;

/**
 * The first rows of an ordered statement, in its order. A statement is planned once for all limits, and of an unknown
 * limit the server expects a tenth of the table; the constant tells it that a page is short.
 * @param most the parameter with the number of rows, at most 101
 */
export function firstRows(ordered: string, most: string): string {
  return `SELECT * FROM (${ordered} LIMIT ${MOST_ROWS}) first_rows LIMIT ${most}`;
}

/**
 * A value as a constant of the statement, because how many changes have it decides how to find them: as a parameter it
 * would have the plan of all values. Only members of a closed set may be written into a statement.
 */
export function constantOf(value: string, closed: readonly string[]): string {
  if (!closed.includes(value)) throw new Error('Not a value of a closed set');
  return `'${value}'`;
}
