import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import type { Delivery, Importer } from '../../src/publish/batches/importer.js';
import { sec } from '../../src/publish/publishers/sec.js';
import type { TestDatabase } from '../support/database.js';

const FIXTURES = join(__dirname, '../fixtures/register');

/** Publishes the small register of the fixtures: groups, then tickers, then the deliveries of the spec. */
export async function publishRegister(database: TestDatabase, ...own: readonly Delivery[]): Promise<void> {
  const publisher = await database.open('import');
  const publish = (importer: Importer, deliveries: readonly Delivery[]) =>
    importFiles(publisher, importer, deliveries, { accept: 'a test', now: () => new Date('2026-08-01T10:00:00Z') });
  await publish(gleif, await gleif.open([join(FIXTURES, 'groups')], '2026-01-05'));
  await publish(sec, await sec.open([join(FIXTURES, 'company_tickers.json')], '2026-01-06'));
  for (const delivery of own) await publish(gleif, [delivery]);
}
