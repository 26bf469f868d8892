/** `columns` is a list with commas, such as `name, type`; of the row `r` it is `r.name, r.type`. */
export const columnsOf = (row: string, columns: string): string =>
  columns
    .split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');
