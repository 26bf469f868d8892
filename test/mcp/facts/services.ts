import { join } from 'node:path';
import { importFiles } from '../../../src/publish/import/import-files.js';
import { loadStarter } from '../../../src/publish/starter/load-starter.js';
import { publishRegister } from '../../http/registered.js';
import { deliveryOf, OWN, type Figures } from '../../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { exhaustively } from '../../support/exhaustive.js';

/** The instant of every call. */
export const NOW = '2026-11-23T09:00:00Z';
const STARTER = join(__dirname, '../../../data/starter');

/** The figures that a service answers from, and how many calls it is asked. */
export interface Stored {
  readonly name: string;
  readonly calls: number;
  readonly open: () => Promise<TestDatabase>;
}

const SMALL: Stored = {
  name: 'a little of everything',
  calls: exhaustively(250, 45),
  open: async () => {
    const database = await createTestDatabase('full');
    await publishRegister(database);
    return database;
  },
};

/** A release and a revision that were corrected later, twice, with digits that sentences round. */
const CORRECTED: Stored = {
  name: 'corrected figures',
  calls: exhaustively(60, 20),
  open: async () => {
    const database = await createTestDatabase('empty');
    const source = await database.open('import');
    const publish = (vintage: string, figures: Figures, day: string, replace: boolean) =>
      importFiles(source, OWN, [deliveryOf(vintage, { figures })], {
        replace,
        accept: 'a test',
        now: () => new Date(`${day}T08:30:00Z`),
      });
    const grown = (last: string): Figures => ({
      'gdp-growth JP': { '2023': '1.04871', '2024': last, '2025': '3.12345' },
    });
    await publish('2026-08-01', { 'gdp-growth JP': { '2023': '1.04871', '2024': '2.01234' } }, '2026-08-01', false);
    await publish('2026-09-01', grown('2.51234'), '2026-09-01', false);
    await publish('2026-09-01', grown('2.64321'), '2026-10-02', true);
    await publish('2026-09-01', grown('2.71828'), '2026-10-05', true);
    return database;
  },
};

const SHIPPED: Stored = {
  name: 'the starter figures',
  calls: 550,
  open: async () => {
    const database = await createTestDatabase();
    await loadStarter(await database.open('import'), STARTER, () => new Date(NOW));
    return database;
  },
};

/** Loading the starter figures takes ten seconds. */
export const SERVICES: readonly Stored[] = exhaustively([SMALL, CORRECTED, SHIPPED], [SMALL, CORRECTED]);
