import { LOCALES } from '../domain/locale/locale.js';

/** `columns` is a list with commas, such as `name, type`; of the row `r` it is `r.name, r.type`. */
export const columnsOf = (row: string, columns: string): string =>
  columns
    .split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');

/** The texts of a localized column in every language, as an array. */
export const textsIn = (column: string): string =>
  `ARRAY[${LOCALES.map((locale) => `${column} ->> '${locale}'`).join(', ')}]`;

/** A name that is the same in every language, as a localized text. */
export const sameInAll = (column: string): string =>
  `jsonb_build_object(${LOCALES.map((locale) => `'${locale}', ${column}`).join(', ')})`;
