import type { Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import { fetchSpotPrices } from './fetch-plan.js';
import { spotTable } from './spot-prices.js';

/**
 * U.S. Energy Information Administration: spot prices of crude oil and natural gas by day, and its own averages by
 * week and month, which are instruments of their own. A price is published days after its day.
 */
export const eia: Importer = {
  publisher: 'eia',
  open: (paths, vintage) => openPriceFiles(paths, vintage, { tableOf: spotTable, sameDay: false }),
  fetch: fetchSpotPrices,
};
