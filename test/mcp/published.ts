import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';
import type { TestDatabase } from '../support/database.js';

const FIXTURES = join(__dirname, '../fixtures');

/** The content that every tool needs in addition to figures: a calendar, companies, prices. */
const FILES: readonly (readonly [publisher: string, path: string, vintage: string | null])[] = [
  ['releases', 'calendar/us-cpi.csv', null],
  ['releases', 'calendar/us-gdp.csv', null],
  ['releases', 'calendar/us-fed.csv', null],
  ['releases', 'calendar/schedules', null],
  ['gleif', 'register/groups', '2026-07-02'],
  ['sec', 'register/company_tickers.json', '2026-07-02'],
];

export async function publishMore(database: TestDatabase): Promise<void> {
  const source = await database.open('import');
  for (const [publisher, path, vintage] of FILES) {
    const importer = IMPORTERS[publisher];
    if (importer === undefined) throw new Error(`There is no importer '${publisher}'`);
    const deliveries = await importer.open([join(FIXTURES, path)], vintage);
    await importFiles(source, importer, deliveries, {
      accept: 'a test',
      now: () => new Date('2026-11-21T00:00:00Z'),
    });
  }
}
