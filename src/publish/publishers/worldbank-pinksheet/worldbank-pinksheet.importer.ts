import { basename } from 'node:path';
import { isPeriod } from '../../../domain/figures/periods.js';
import { ImportError, type Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import type { PriceTable } from '../../batches/price-table.js';
import { fetchPinkSheet } from './fetch-plan.js';

const MONTH = /^\d{4}-\d{2}$/;

/** A month and the average of its daily prices, in US dollars per troy ounce. */
const GOLD: PriceTable = {
  dates: ['Date'],
  code: (column) => (column === 'Price' ? 'Gold' : null),
  period: (text) => (MONTH.test(text) && isPeriod(text) ? text : null),
  example: '2026-06',
  absent: [''],
  fault: (value) => (value > 0 ? null : 'is no price of gold: one is above zero'),
};

/** World Bank: monthly commodity prices of the Pink Sheet; the importer reads gold only. */
export const worldbankPinksheet: Importer = {
  publisher: 'worldbank-pinksheet',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: goldOnly, sameDay: false }, onStray),
  fetch: fetchPinkSheet,
};

/** The table does not name its content, so at least the file's name must agree. */
function goldOnly(path: string): PriceTable {
  if (!/^(gold.*|monthly)\.csv$/i.test(basename(path))) {
    throw new ImportError(
      `${path}: expected a file named monthly.csv or gold.csv, with the columns Date and Price`,
    );
  }
  return GOLD;
}
