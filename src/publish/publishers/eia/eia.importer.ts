import type { Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import { fetchSpotPrices } from './fetch-plan.js';
import { spotTable } from './spot-prices.js';

/**
 * U.S. Energy Information Administration: daily spot prices of crude oil and natural gas, and its own weekly and
 * monthly averages, which are separate instruments. The EIA publishes a price days after its day.
 */
export const eia: Importer = {
  publisher: 'eia',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: spotTable, sameDay: false }, onStray),
  fetch: fetchSpotPrices,
  requires: 'EIA_API_KEY',
};
