// runs: in full only
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayOf, shiftedDay } from '../../src/domain/figures/periods.js';
import { isHoliday } from '../../src/domain/figures/holidays.js';
import { openScratchDatabase, type ScratchDatabase } from '../publishing/scratch-database.js';
import { publisherThat, type Loopback } from '../publishing/price-files.js';
import { archive } from '../publishing/syncing.js';
import { exhaustively } from '../support/exhaustive.js';
import { until } from '../support/until.js';

const WORKERS = 3;
/** `npm run drill -- sync-killed` sets it. */
const KILLS = Number(process.env.SYNC_KILLS ?? exhaustively(10, 2));
const FIRST_DAY = '2020-01-06';
/** A day of the publishers takes so many milliseconds. */
const DAY_MS = 1_000;
const SPEED = 86_400_000 / DAY_MS;

interface Row {
  readonly id: number;
  readonly publisher: string;
  readonly outcome: string | null;
  readonly why: string | null;
  readonly version: number | null;
}

/** Monday to Friday without holidays of either publisher, up to a day; the first request already finds some. */
function tradingDays(last: string): string[] {
  const days: string[] = [];
  for (let day = shiftedDay(FIRST_DAY, -4); day <= last; day = shiftedDay(day, 1)) {
    const weekday = new Date(day).getUTCDay();
    const isClosed = isHoliday('target', day) || isHoliday('us-federal', day);
    if (weekday !== 0 && weekday !== 6 && !isClosed) days.push(day);
  }
  return days;
}

jest.setTimeout(600_000);

describe(`${WORKERS} syncs at once, of which one is killed at a random moment, ${KILLS} times`, () => {
  let scratch: ScratchDatabase;
  let publisher: Loopback;
  let folder: string;
  const workers = new Map<string, ChildProcess>();
  const requests: string[] = [];
  let onRequest: (worker: string) => void = () => undefined;
  let beganAt = 0;

  const today = (): string => dayOf(new Date(Date.parse(FIRST_DAY) + (Date.now() - beganAt) * SPEED));

  /** Both publishers have the figures of the days before, and a worker is seen while it works. */
  function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const days = tradingDays(shiftedDay(today(), -1));
    const level = (day: string): string =>
      (1.1 + (Date.parse(day) % 7) / 1_000 + days.indexOf(day) / 10_000).toFixed(4);
    const isRates = url.includes('eurofxref');
    requests.push(isRates ? 'ecb' : 'us-treasury');
    response.end(
      isRates
        ? archive(Object.fromEntries(days.map((day) => [day, `${level(day)},181.5`])))
        : `Date,10 Yr\n${[...days]
            .reverse()
            .map((day) => `${day},${level(day)}`)
            .join('\n')}`,
    );
    onRequest(url.split('/')[1] ?? '');
  }

  let made = 0;
  function start(): void {
    const name = `worker-${(made += 1)}`;
    const traits = {
      name,
      base: publisher.base,
      dataDir: join(folder, name),
      beganAt,
      speed: SPEED,
      beginsAt: Date.parse(FIRST_DAY),
    };
    const connection = scratch.database.connections.to('import');
    const child = fork(join(__dirname, 'sync-worker.mjs'), [JSON.stringify(connection), JSON.stringify(traits)]);
    child.on('error', () => undefined);
    workers.set(name, child);
  }

  /** A worker that has asked a publisher a random time ago. */
  const someoneWorks = (): Promise<string> =>
    new Promise((resolve) => {
      onRequest = (worker) => {
        onRequest = () => undefined;
        const moment = performance.now() + Math.random() * 500;
        void until(10_000, 'the moment', () => Promise.resolve(performance.now() >= moment)).then(() =>
          resolve(worker),
        );
      };
    });

  beforeAll(async () => {
    scratch = await openScratchDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tidemark-killed-'));
    publisher = await publisherThat(answer);
    beganAt = Date.now();
    for (let count = 0; count < WORKERS; count += 1) start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const name = await someoneWorks();
      const child = workers.get(name);
      const gone = child && once(child, 'exit');
      child?.kill('SIGKILL');
      await gone;
      workers.delete(name);
      start();
    }
    const attempts = async (): Promise<number> => (await scratch.sql('SELECT 1 FROM sync_attempts')).length;
    const before = await attempts();
    // The survivors take over from the last one.
    await until(60_000, 'further attempts', async () => (await attempts()) >= before + 4);
    const ends = [...workers.values()].map((child) => once(child, 'exit'));
    for (const child of workers.values()) child.disconnect();
    await Promise.all(ends);
  });
  afterAll(async () => {
    for (const child of workers.values()) child.kill('SIGKILL');
    await publisher.close();
    await scratch.close();
    await rm(folder, { recursive: true });
  });

  const rows = (): Promise<Row[]> =>
    scratch.sql<Row>('SELECT id, publisher, outcome, why, data_version AS version FROM sync_attempts ORDER BY id');

  it('record each attempt once, with its outcome', async () => {
    const attempts = await rows();
    expect(attempts.filter(({ outcome }) => outcome === null)).toEqual([]);
    const others = attempts.filter(
      ({ outcome, why }) => outcome === 'failed' && !/^(the process was killed|stopped before)/.test(why ?? ''),
    );
    expect(others).toEqual([]);
    for (const name of ['ecb', 'us-treasury']) {
      const recorded = attempts.filter(({ publisher: one }) => one === name).length;
      const asked = requests.filter((one) => one === name).length;
      // An attempt may be killed before its request; none makes two.
      expect(recorded).toBeGreaterThanOrEqual(asked);
      expect(recorded).toBeLessThanOrEqual(asked + KILLS);
    }
  });

  it('record the killed ones', async () => {
    const killed = (await rows()).filter(({ why }) => why?.startsWith('the process was killed'));
    expect(killed.length).toBeGreaterThan(0);
    expect(killed.length).toBeLessThanOrEqual(KILLS);
  });

  it('publish each day once, each in one attempt', async () => {
    const published = await scratch.sql<{ version: number; what: string }>(
      `SELECT data_version AS version, description AS what FROM publications WHERE kind = 'import' ORDER BY 1`,
    );
    expect(published.length).toBeGreaterThan(0);
    expect(new Set(published.map(({ what }) => what)).size).toBe(published.length);
    const versions = (await rows()).flatMap(({ version }) => version ?? []);
    expect(versions.sort((a, b) => a - b)).toEqual(published.map(({ version }) => version));
  });
});
