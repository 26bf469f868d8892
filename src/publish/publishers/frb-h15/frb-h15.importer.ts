import { isDay } from '../../../domain/figures/periods.js';
import type { Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import type { PriceTable } from '../../batches/price-table.js';
import { fetchTenYearYield } from './fetch-plan.js';

/** A month, written as its first day, and the average of its daily yields in percent. */
const TEN_YEARS: PriceTable = {
  dates: ['Date'],
  code: (column) => (column === 'Rate' ? 'RIFLGFCY10_N.M' : null),
  period: (text) => (isDay(text) && text.endsWith('-01') ? text.slice(0, 7) : null),
  example: '2026-06-01',
  absent: ['', 'ND'],
  fault: (value) => (value >= -10 && value <= 50 ? null : 'is no yield in percent'),
};

/** Federal Reserve Board, H.15: the ten-year constant maturity yield, averaged over months. */
export const frbH15: Importer = {
  publisher: 'frb-h15',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => TEN_YEARS, sameDay: false }, onStray),
  fetch: fetchTenYearYield,
};
