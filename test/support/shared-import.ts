import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';
import type { TestDatabase } from './database.js';
import { sharedData } from './shared-data.js';

/** Publishers' own files in an order that no vintage contradicts, with the vintage day of those that state none. */
const FILES: readonly (readonly [publisher: string, path: string, vintage: string | null])[] = [
  ['worldbank', 'worldbank-wdi-vintages', null],
  ['ecb', 'ecb-eurofxref/eurofxref-hist-2015.csv', null],
  ...(['brent', 'wti', 'henry-hub'] as const).map(
    (key) => ['eia', `eia-energy/${key}-daily.csv`, '2026-08-22'] as const,
  ),
  ...[2021, 2022, 2023, 2024, 2025].map(
    (year) => ['us-treasury', `us-treasury-par-yields/${String(year)}-daily-treasury-rates.csv`, null] as const,
  ),
  ['worldbank-pinksheet', 'worldbank-gold/monthly.csv', '2026-08-22'],
  ['frb-h15', 'fed-us-10y-monthly/monthly.csv', '2026-08-22'],
  ['releases', 'release-calendar/us-cpi-releases.csv', null],
  ['releases', 'release-calendar/us-gdp-releases.csv', null],
  ['releases', 'release-calendar/us-fed-target-changes.csv', null],
  ['bls', 'bls-cpi-us/cpiai.csv', '2026-08-22'],
  ['gleif', 'gleif-groups/raw/gleif-rs', null],
  ['gleif', 'gleif-groups/entities.csv', '2026-01-01'],
  ['gleif', 'gleif-groups/relationships.csv', '2026-01-01'],
  ['sec', 'companies/sec-company_tickers.json', '2026-08-22'],
];

/** Imports the publishers' files beside the repository, which takes minutes. */
export async function importSharedData(database: TestDatabase, now: Date): Promise<void> {
  const publisher = await database.open('import');
  for (const [name, path, vintage] of FILES) {
    const importer = IMPORTERS[name];
    if (importer === undefined) throw new Error(`There is no importer '${name}'`);
    const deliveries = await importer.open([join(sharedData(), path)], vintage);
    // The audit holds three vintages of the World Bank for figures that their publisher did release.
    await importFiles(publisher, importer, deliveries, { now: () => now, accept: 'as published' });
  }
}
