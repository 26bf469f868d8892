import type { Importer } from '../importer.js';
import { openDeliveries } from '../reading/deliveries.js';
import { recognise } from './layouts.js';
import { WorldBankApi } from './live.js';
import { requireWholeSets } from './page-sets.js';

/** World Bank: the bulk file (wide CSV), CSV files of one indicator, and answers of the API, version 2. */
export const worldbank: Importer = {
  publisher: 'worldbank',
  open: (paths, vintage) =>
    openDeliveries(paths, vintage, recognise, (files) => {
      requireWholeSets(files.flatMap(({ held }) => held ?? []));
    }),
  fetch: (options) => new WorldBankApi().fetch(options),
};
