import type { Importer } from '../../batches/importer.js';
import { openPriceFiles } from '../../batches/price-files.js';
import { fetchParYields } from './fetch-plan.js';
import { PAR_YIELDS } from './par-yields.js';

/** U.S. Department of the Treasury: daily par yield curve rates, one CSV per year; several years form one delivery. */
export const usTreasury: Importer = {
  publisher: 'us-treasury',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => PAR_YIELDS, sameDay: true }, onStray),
  fetch: fetchParYields,
};
