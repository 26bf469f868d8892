import type { Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import { fetchReferenceRates } from './fetch-plan.js';
import { REFERENCE_RATES } from './reference-rates.js';

/** European Central Bank: euro foreign exchange reference rates, history or one day, as CSV or as a ZIP of it. */
export const ecb: Importer = {
  publisher: 'ecb',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => REFERENCE_RATES, sameDay: true, zipped: true }, onStray),
  fetch: fetchReferenceRates,
};
