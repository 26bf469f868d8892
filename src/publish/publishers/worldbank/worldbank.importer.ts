import type { Importer } from '../../batches/importer.js';
import { openDeliveries } from '../../batches/deliveries.js';
import { recognise } from './layouts.js';
import { fetchIndicators } from './fetch-plan.js';
import { requireWholeSets } from './page-sets.js';

/** World Bank: the bulk file (wide CSV), CSV files of one indicator, and responses of the API, version 2. */
export const worldbank: Importer = {
  publisher: 'worldbank',
  open: (paths, vintage, onStray) =>
    openDeliveries(
      paths,
      vintage,
      recognise,
      (files) => {
        requireWholeSets(files.flatMap(({ held }) => held ?? []));
      },
      onStray,
    ),
  fetch: fetchIndicators,
};
