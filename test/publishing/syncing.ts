import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attempt } from '../../src/publish/sync/attempts.js';
import { syncDue, type Round } from '../../src/publish/sync/sync.js';
import type { SyncContext, SyncedPublisher } from '../../src/publish/sync/sync-publisher.js';
import { syncedPublisher } from '../../src/publish/sync/synced-publishers.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { fetchReferenceRates } from '../../src/publish/publishers/ecb.js';
import { StoppedClock } from '../support/clock.js';
import { zipOf } from '../support/zip.js';
import { NO_WAITING, publisherThat, type Loopback } from './price-files.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

export const LIMITS = { tries: 2, timeoutMs: 5_000, maxBytes: 1_000_000 };

/** The ECB's archive with the rates of the days, newest first. */
export const archive = (rates: Readonly<Record<string, string>>): Buffer =>
  zipOf({
    'eurofxref-hist.csv': `Date,USD,JPY,\n${Object.entries(rates)
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([day, cells]) => `${day},${cells},\n`)
      .join('')}`,
  });

export interface Syncing {
  readonly clock: StoppedClock;
  /** What the publisher answers from now on. */
  answer(listener: RequestListener): void;
  readonly publisher: () => Loopback;
  readonly scratch: () => ScratchDatabase;
  readonly context: (traits?: Partial<SyncContext>) => SyncContext;
  /** The ECB at the loopback address. */
  readonly ecbWith: (limits?: Partial<typeof LIMITS>) => SyncedPublisher;
  /** One round at an instant, or as late as it is. */
  readonly round: (at?: string, limits?: Partial<typeof LIMITS>) => Promise<Round>;
  readonly history: () => Promise<Attempt[]>;
  readonly publications: () => Promise<number>;
}

/** A scratch database, a publisher on the loopback address and a clock, all new for each test. */
export function useSync(): Syncing {
  let scratch: ScratchDatabase;
  let publisher: Loopback;
  let folder: string;
  let listener: RequestListener;
  const clock = new StoppedClock('2026-11-20T15:00:00Z');
  beforeAll(async () => {
    scratch = await openScratchDatabase();
  });
  afterAll(() => scratch.close());
  beforeEach(async () => {
    await scratch.sql('TRUNCATE series, publications, held_deliveries, sync_attempts CASCADE');
    clock.advance(Date.parse('2026-11-20T15:00:00Z') - clock.wall());
    folder = await mkdtemp(join(tmpdir(), 'tidemark-sync-'));
    publisher = await publisherThat((request, response) => listener(request, response));
  });
  afterEach(async () => {
    await publisher.close();
    await rm(folder, { recursive: true });
  });
  const ecbWith = (limits: Partial<typeof LIMITS> = {}): SyncedPublisher =>
    syncedPublisher({
      ...ecb,
      fetch: (options) =>
        fetchReferenceRates(options, { base: publisher.base, waiting: NO_WAITING, limits: { ...LIMITS, ...limits } }),
    });
  const context = (traits: Partial<SyncContext> = {}): SyncContext => ({
    dataSource: scratch.publisher,
    dataDir: folder,
    now: () => new Date(clock.wall()),
    signal: new AbortController().signal,
    ...traits,
  });
  return {
    clock,
    context,
    ecbWith,
    answer: (next) => (listener = next),
    publisher: () => publisher,
    scratch: () => scratch,
    round: (at, limits = {}) => {
      if (at !== undefined) clock.advance(Date.parse(at) - clock.wall());
      return syncDue(context(), [ecbWith(limits)], () => undefined);
    },
    history: () =>
      scratch.sql<Attempt>(
        `SELECT id, publisher, started_at AS "startedAt", ended_at AS "endedAt", outcome, why,
                data_version AS "dataVersion", vintage_day AS vintage, next_at AS "nextAt"
         FROM sync_attempts ORDER BY id`,
      ),
    publications: async () => (await scratch.sql('SELECT 1 FROM publications')).length,
  };
}
