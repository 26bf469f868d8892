import type { Importer } from '../importer.js';
import { openDeliveries } from './deliveries.js';
import { WorldBankApi } from './live.js';

/** World Bank: the bulk file (wide CSV), CSV files of one indicator, and answers of the API, version 2. */
export const worldbank: Importer = {
  publisher: 'worldbank',
  open: openDeliveries,
  fetch: (options) => new WorldBankApi().fetch(options),
};
