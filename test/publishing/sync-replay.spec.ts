// runs: in full only
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shiftedDay } from '../../src/domain/figures/periods.js';
import { marketFixture } from '../support/markets.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';
import { dailyTable, daysIn, replay, type DailyTable, type Replay } from './replaying.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

/** Of the replay of shared files; docs/explanation/reliability.md says how far 36 have been run. */
const MONTHS = Number(process.env.SYNC_REPLAY_MONTHS ?? 3);
const LAST = '2025-06-30';

jest.setTimeout(MONTHS * 600_000);

const tableAt = (path: string): DailyTable => dailyTable(readFileSync(path, 'utf8'));

/** What sync has stored of an instrument since the first day: the day on which each figure became known. */
function knownDays(scratch: ScratchDatabase, instrument: string, first: string) {
  return scratch.sql<{ period: string; known: string; times: number }>(
    `SELECT period, min(valid_from)::text AS known, count(*)::int AS times
     FROM observations o JOIN series s ON s.id = o.series_id
     WHERE s.instrument = $1 AND period > $2 GROUP BY period ORDER BY period`,
    [instrument, first],
  );
}

/** Each figure is known since the day of its own vintage, and was never another one. */
const onTheirDays = (days: readonly string[]) => days.map((day) => ({ period: day, known: day, times: 1 }));

function vintages(scratch: ScratchDatabase, publisher: string): Promise<string[]> {
  return scratch
    .sql<{ day: string }>(
      `SELECT vintage_day::text AS day FROM publications
       WHERE description LIKE $1 || ': %' ORDER BY data_version`,
      [publisher],
    )
    .then((rows) => rows.map(({ day }) => day));
}

/** Each attempt is recorded once, those that met a fault as failed ones, and nothing was held. */
async function expectEachAttemptRecorded(scratch: ScratchDatabase, met: ReadonlyMap<string, number>): Promise<void> {
  const counts = await scratch.sql<{ outcome: string; count: number }>(
    'SELECT outcome, count(*)::int AS count FROM sync_attempts GROUP BY 1 ORDER BY 1',
  );
  const total = [...met.values()].reduce((sum, count) => sum + count, 0);
  const failures = ['down', 'refused', 'slow', 'page', 'cut'].map((fault) => met.get(fault) ?? 0);
  expect(counts.map(({ outcome }) => outcome)).toEqual(['failed', 'new', 'nothing new']);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  const failed = failures.reduce((sum, count) => sum + count, 0);
  expect(counts[0]?.count).toBeGreaterThanOrEqual(failed);
  // A file older than the first one that is held is refused.
  expect(counts[0]?.count).toBeLessThanOrEqual(failed + (met.get('old') ?? 0));
}

describe('sync, over weeks of a publisher that is down, slow, lying or repeats itself', () => {
  let scratch: ScratchDatabase;
  let met: ReadonlyMap<string, number>;
  const given: Replay = {
    first: '2026-03-23',
    last: '2026-04-10',
    ecb: tableAt(marketFixture('ecb/eurofxref-hist.csv')),
  };
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    met = await replay(scratch, given);
  });
  afterAll(() => scratch.close());

  it('publishes each day of figures once, on its day', async () => {
    const days = daysIn(given.ecb, given.first, given.last);
    expect(days.length).toBeGreaterThan(10);
    expect(await vintages(scratch, 'ecb')).toEqual([shiftedDay(given.first, -3), ...days]);
    expect(await knownDays(scratch, 'eurusd', shiftedDay(given.first, -1))).toEqual(onTheirDays(days));
    await expectEachAttemptRecorded(scratch, met);
  });
});

describeWithAllSharedData(`sync, over ${MONTHS} months of three publishers’ own files`, () => {
  let scratch: ScratchDatabase;
  let given: Replay;
  let met: ReadonlyMap<string, number>;
  beforeAll(async () => {
    const [year = 0, month = 0] = LAST.split('-').map(Number);
    const treasury = sharedData('us-treasury-par-yields');
    const years = readdirSync(treasury).filter((name) => name.endsWith('.csv'));
    given = {
      first: new Date(Date.UTC(year, month - MONTHS, 1)).toISOString().slice(0, 10),
      last: LAST,
      ecb: tableAt(sharedData('ecb-eurofxref/eurofxref-hist-2015.csv')),
      treasury: new Map(years.map((name) => [name.slice(0, 4), tableAt(join(treasury, name))])),
      eia: new Map(
        [
          ['RBRTE', 'brent'],
          ['RWTC', 'wti'],
          ['RNGWHHD', 'henry-hub'],
        ].map(([facet = '', name = '']) => [facet, tableAt(sharedData(`eia-energy/${name}-daily.csv`))]),
      ),
    };
    scratch = await openScratchDatabase();
    met = await replay(scratch, given);
  });
  afterAll(() => scratch.close());

  it('publishes each day of reference rates and par yields once, on its day', async () => {
    const tables = [
      ['ecb', 'eurusd', [given.ecb]],
      ['us-treasury', 'us-par-yield-10y', [...(given.treasury?.values() ?? [])]],
    ] as const;
    for (const [publisher, instrument, files] of tables) {
      const days = files.flatMap((table) => daysIn(table, given.first, given.last)).sort();
      expect(days.length).toBeGreaterThan(MONTHS * 18);
      const published = await vintages(scratch, publisher);
      expect(published.filter((day) => day >= given.first)).toEqual(days);
      expect(await knownDays(scratch, instrument, shiftedDay(given.first, -1))).toEqual(onTheirDays(days));
    }
    await expectEachAttemptRecorded(scratch, met);
  });

  it('publishes each week of spot prices once, with every price as the EIA printed it', async () => {
    const weeks = await vintages(scratch, 'eia');
    expect(new Set(weeks).size).toBe(weeks.length);
    expect(weeks.length).toBeGreaterThan(MONTHS * 3.5);
    for (const [facet, instrument] of Object.entries({ RBRTE: 'brent', RWTC: 'wti', RNGWHHD: 'henry-hub' })) {
      const held = await scratch.sql<{ period: string; value: string }>(
        `SELECT period, value::text AS value FROM observations o JOIN series s ON s.id = o.series_id
         WHERE s.instrument = $1 AND valid_to IS NULL AND period >= $2 ORDER BY period`,
        [instrument, given.first],
      );
      const table = given.eia?.get(facet);
      const printed = table === undefined ? [] : daysIn(table, given.first, held.at(-1)?.period ?? '');
      expect(printed.length).toBeGreaterThan(MONTHS * 10);
      expect(held.map(({ period, value }) => [period, Number(value)])).toEqual(
        printed.map((day) => [day, Number(table?.rows.get(day)?.split(',')[1])]),
      );
    }
  });
});
