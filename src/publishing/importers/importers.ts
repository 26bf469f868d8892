import type { Importer } from './importer.js';
import { worldbank } from './worldbank/worldbank.importer.js';

/** Every publisher that `tidemark import` knows, by the name that is typed. */
export const IMPORTERS: Readonly<Record<string, Importer>> = {
  [worldbank.publisher]: worldbank,
};
