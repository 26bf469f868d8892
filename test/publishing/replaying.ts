// Plays publishers' real figures back through sync: each serves what it would have had at the time of the test's clock.
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf, shiftedDay } from '../../src/domain/figures/periods.js';
import { fetchReferenceRates } from '../../src/publish/publishers/ecb.js';
import { fetchSpotPrices } from '../../src/publish/publishers/eia.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';
import { fetchParYields } from '../../src/publish/publishers/us-treasury.js';
import { syncDue, watch } from '../../src/publish/sync/sync.js';
import type { SyncContext, SyncedPublisher } from '../../src/publish/sync/sync-publisher.js';
import { syncedPublisher } from '../../src/publish/sync/synced-publishers.js';
import { StoppedClock } from '../support/clock.js';
import { zipOf } from '../support/zip.js';
import { NO_WAITING, publisherThat } from './price-files.js';
import type { ScratchDatabase } from './scratch-database.js';

/** The days before the first one that a publisher also serves. */
const HISTORY_DAYS = 60;
const SLOW_MS = 250;

/** Lines of a table, `YYYY-MM-DD,…`, with its header. */
export interface DailyTable {
  readonly header: string;
  readonly rows: ReadonlyMap<string, string>;
}

export function dailyTable(text: string): DailyTable {
  const [header = '', ...lines] = text.trim().split(/\r?\n/);
  return { header, rows: new Map(lines.sort().map((line) => [line.slice(0, 10), line] as const)) };
}

/** The days of a table within two, both included, oldest first. */
export const daysIn = ({ rows }: DailyTable, first: string, last: string): string[] =>
  [...rows.keys()].filter((day) => day >= first && day <= last);

export interface Replay {
  readonly first: string;
  readonly last: string;
  /** Published at 15:00 UTC of each day. */
  readonly ecb: DailyTable;
  /** By year; published at 23:00 UTC of each day. */
  readonly treasury?: ReadonlyMap<string, DailyTable>;
  /** By facet; on Wednesdays at 18:00 UTC with the days up to Monday. */
  readonly eia?: ReadonlyMap<string, DailyTable>;
}

/** What a publisher does wrong in an attempt, drawn at random. */
const FAULTS = [
  'none',
  'none',
  'none',
  'none',
  'none',
  /** 503, a port at which nobody listens, no response at all. */
  'down',
  'refused',
  'slow',
  /** A page instead of figures, a response that ends early, the file of the day before, one of two weeks ago. */
  'page',
  'cut',
  'yesterday',
  'old',
] as const;
type Fault = (typeof FAULTS)[number];
const DAYS_OLD: Readonly<Partial<Record<Fault, number>>> = { yesterday: 1, old: 14 };
/** Nobody listens there: it is never given to a program. */
const REFUSED = 'http://127.0.0.1:1';

/** The same faults in each run: a linear congruential generator. */
function drawn(): () => number {
  let state = 20_220_701;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Runs sync from the first day to the last one. @returns how often each fault was met */
export async function replay(scratch: ScratchDatabase, given: Replay): Promise<Map<Fault, number>> {
  const clock = new StoppedClock(`${given.first}T08:00:00Z`);
  const now = (): Date => new Date(clock.wall());
  const random = drawn();
  const met = new Map<Fault, number>();
  const attempt: { fault: Fault; left: number } = { fault: 'none', left: 0 };
  const begin = (requests: number): Fault => {
    // The first day brings the history.
    const isFirst = dayOf(now()) === given.first;
    attempt.fault = isFirst ? 'none' : (FAULTS[Math.floor(random() * FAULTS.length)] ?? 'none');
    // An attempt of several requests meets it at any one of them.
    attempt.left = Math.floor(random() * requests);
    met.set(attempt.fault, (met.get(attempt.fault) ?? 0) + 1);
    return attempt.fault;
  };
  const publisher = await publisherThat((request, response) => {
    const { fault } = attempt;
    const isHit = (attempt.left -= 1) < 0;
    if (isHit && fault === 'slow') return;
    if (isHit && fault === 'down') response.writeHead(503).end();
    else if (isHit && fault === 'page') response.end('<html><p>Welcome</p></html>');
    else {
      const at = new Date(clock.wall() - (DAYS_OLD[fault] ?? 0) * 86_400_000);
      answer(given, at, isHit && fault === 'cut', request, response);
    }
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-replay-'));
  const stop = new AbortController();
  const context: SyncContext = {
    dataSource: scratch.publisher,
    dataDir,
    now,
    signal: stop.signal,
    accessCodes: { eia: 'ThisIsNobodysAccessCode0001' },
  };
  const baseOf = (requests: number): string => (begin(requests) === 'refused' ? REFUSED : publisher.base);
  const publishers = publishersAt(baseOf, given, now);
  try {
    await watch(() => syncDue(context, publishers, () => undefined), {
      now,
      signal: stop.signal,
      sleep: (milliseconds) => {
        clock.advance(milliseconds);
        // The par yields of the last day come shortly before its midnight, or after it.
        if (dayOf(new Date(clock.wall() - 8 * 3_600_000)) > given.last) stop.abort();
        return Promise.resolve();
      },
      onError: (error) => {
        stop.abort();
        throw error;
      },
    });
  } finally {
    await publisher.close();
    await rm(dataDir, { recursive: true });
  }
  return met;
}

/** @param baseOf begins an attempt of so many requests */
function publishersAt(
  baseOf: (requests: number) => string,
  { treasury, eia }: Replay,
  now: () => Date,
): SyncedPublisher[] {
  const limits = { tries: 1, timeoutMs: SLOW_MS, maxBytes: 5_000_000 };
  const settings = { limits, waiting: NO_WAITING, thisYear: () => now().getUTCFullYear() };
  const at = (requests: number) => ({ ...settings, base: baseOf(requests) });
  const since = (): string => shiftedDay(dayOf(now()), -HISTORY_DAYS);
  const fetches: Record<string, NonNullable<SyncedPublisher['importer']['fetch']>> = {
    ecb: (options) => fetchReferenceRates(options, at(1)),
    ...(treasury && { 'us-treasury': (options) => fetchParYields({ ...options, since: since() }, at(1)) }),
    ...(eia && { eia: (options) => fetchSpotPrices(options, at(8)) }),
  };
  return Object.entries(fetches).flatMap(([name, fetch]) => {
    const importer = IMPORTERS[name];
    return importer === undefined ? [] : [syncedPublisher({ ...importer, fetch })];
  });
}

function answer(
  { first, ecb, treasury, eia }: Replay,
  at: Date,
  isCut: boolean,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const from = shiftedDay(first, -HISTORY_DAYS);
  const year = /\/(\d{4})\/all/.exec(url)?.[1];
  const { searchParams } = new URL(url, 'http://localhost');
  const facet = searchParams.get('facets[series][]');
  const body = (): Buffer => {
    if (facet !== null) {
      const table = searchParams.get('frequency') === 'daily' ? eia?.get(facet) : undefined;
      return Buffer.from(eiaPage(table, facet, from, untilMonday(at)));
    }
    if (year !== undefined) return Buffer.from(yearFile(treasury?.get(year), from, published(at, 23)));
    return zipOf({ 'eurofxref-hist.csv': `${fileOf(ecb, from, published(at, 15))}\n` });
  };
  const whole = body();
  if (!isCut) {
    response.end(whole);
    return;
  }
  response.writeHead(200, { 'content-length': whole.length + 1 }).write(whole);
  response.destroy();
}

/** The newest day that was published at an instant, at an hour of the same UTC day. */
const published = (at: Date, hour: number): string =>
  at.getUTCHours() >= hour ? dayOf(at) : shiftedDay(dayOf(at), -1);

function untilMonday(at: Date): string {
  const day = published(at, 18);
  return shiftedDay(day, -((new Date(day).getUTCDay() + 4) % 7) - 2);
}

const linesOf = (table: DailyTable, first: string, last: string): string[] =>
  daysIn(table, first, last).map((day) => table.rows.get(day) ?? '');

const fileOf = (table: DailyTable, first: string, last: string): string =>
  [table.header, ...linesOf(table, first, last).reverse()].join('\n');

/** Empty before the first day of a year. */
const yearFile = (table: DailyTable | undefined, first: string, last: string): string =>
  table === undefined || daysIn(table, first, last).length === 0 ? '' : fileOf(table, first, last);

function eiaPage(table: DailyTable | undefined, series: string, first: string, last: string): string {
  const lines = table === undefined ? [] : linesOf(table, first, last);
  const data = lines.map((line) => {
    const [period = '', value = ''] = line.split(',');
    return { period, series, value };
  });
  return JSON.stringify({ response: { total: data.length, data } });
}
