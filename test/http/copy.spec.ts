// runs: in full only
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { deliveryOf, OWN, type Figures } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { startTestServer, type TestServer } from '../support/server.js';

// Publishes thirty times, and the machine may be busy.
jest.setTimeout(600_000);

const SCRIPT = join(__dirname, '../../examples/copy/copy.mjs');
const run = promisify(execFile);
const at = (turn: number): Date => new Date(Date.UTC(2026, 10, 20, 12, turn));
/** Publications after the first load; every fifth takes the one before back. */
const PUBLICATIONS = exhaustively(30, 5);
const MOST_A_DAY = 40;

interface Line {
  readonly type: string;
  readonly subject: string;
  readonly period: string;
  readonly value: number;
  readonly knownSince: string;
  readonly knownUntil: string | null;
  readonly path: string;
  readonly id?: string;
  readonly slug?: string;
}

const HELD = `
  SELECT coalesce('macro/' || s.indicator || '@' || s.region, 'markets/' || s.instrument) AS subject, o.period,
         o.value::float8 AS value, o.valid_from::text AS "knownSince", o.valid_to::text AS "knownUntil"
  FROM observations o JOIN series s ON s.id = o.series_id
  WHERE NOT s.withheld AND (s.instrument IS NULL OR o.valid_to IS NULL)`;

const ITEMS = `
  SELECT 'changes/' || id AS item FROM changes WHERE status <> 'withdrawn'
  UNION ALL SELECT 'ahead/' || id FROM calendar_events WHERE NOT withheld
  UNION ALL SELECT 'companies/' || slug FROM companies c JOIN sources s ON s.id = c.source_id
  WHERE listed AND NOT s.withheld`;

describe('The copy of examples/copy', () => {
  let database: TestDatabase;
  let service: TestServer;
  let publisher: DataSource;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    publisher = await database.open('import');
    folder = await mkdtemp(join(tmpdir(), 'tidemark-copy-'));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function refresh(): Promise<number> {
    const environment = { ...process.env, TIDEMARK_KEY: await service.key() };
    const { stdout } = await run(process.execPath, [SCRIPT, service.url, join(folder, 'copy.ndjson')], {
      env: environment,
    });
    return (JSON.parse(stdout) as { requests: number }).requests;
  }

  async function copied() {
    const text = await readFile(join(folder, 'copy.ndjson'), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    return {
      figures: lines
        .filter(({ type }) => type === 'figure')
        .map(({ subject, period, value, knownSince, knownUntil }) =>
          [subject, period, value, knownSince, knownUntil].join(' '),
        )
        .sort(),
      items: lines
        .flatMap(({ type, path, id, slug }) => (type === 'item' ? [`${path}/${slug ?? id ?? ''}`] : []))
        .sort(),
    };
  }

  async function held() {
    const rows = await publisher.query<Line[]>(HELD);
    const items = await publisher.query<{ item: string }[]>(ITEMS);
    return {
      figures: rows
        .map(({ subject, period, value, knownSince, knownUntil }) =>
          [subject, period, value, knownSince, knownUntil].join(' '),
        )
        .sort(),
      items: items.map(({ item }) => item).sort(),
    };
  }

  const day = (number: number): string => new Date(Date.UTC(2026, 8, 1 + number)).toISOString().slice(0, 10);

  /** New figures, restatements of any size, withdrawals, series that nobody had, and days of one price. */
  function figuresOf(turn: number): Figures {
    const value = (base: number): string => (base + (turn % 7) / 10).toFixed(2);
    const tiny = (2 + turn / 100_000).toFixed(5);
    const prices = { eurusd: { [day(turn)]: value(1.1) } };
    switch (turn % 4) {
      case 0:
        return prices;
      case 1:
        return { ...prices, 'gdp-growth JP': { '2022': value(1), '2023': tiny, '2024': value(0) } };
      case 2:
        return {
          'cpi-inflation DE': { '2021': value(3), '2023': value(5) },
          eurjpy: { [day(turn - 1)]: value(160), [day(turn)]: value(161) },
        };
      default:
        return {
          [`population ${['FR', 'IT', 'BR', 'IN'][(turn % 16) >> 2] ?? 'FR'}`]: { '2023': String(60_000_000 + turn) },
        };
    }
  }

  it(`equals the database row by row after each of ${PUBLICATIONS} publications, in at most 40 requests`, async () => {
    await refresh();
    expect(await copied()).toEqual(await held());
    for (let turn = 1; turn <= PUBLICATIONS; turn += 1) {
      const [newest] = await publisher.query<{ version: number }[]>(
        'SELECT max(data_version) AS version FROM publications',
      );
      if (turn % 5 === 0) await retractVersion(publisher, newest?.version ?? 0, 'a test', () => at(turn));
      else {
        const delivery = deliveryOf(day(turn), { figures: figuresOf(turn) });
        await importFiles(publisher, OWN, [delivery], { accept: 'a test', now: () => at(turn) });
      }
      await service.server.app.get(Heartbeat).poll();
      const requests = await refresh();
      expect({ turn, requests }).toEqual({ turn, requests: Math.min(requests, MOST_A_DAY) });
      expect({ turn, ...(await copied()) }).toEqual({ turn, ...(await held()) });
    }
    const counts = await publisher.query<{ kind: string }[]>(
      'SELECT kind FROM publications ORDER BY data_version DESC LIMIT $1',
      [PUBLICATIONS],
    );
    expect(counts.filter(({ kind }) => kind === 'retraction')).toHaveLength(PUBLICATIONS / 5);
  });

  it.each(exhaustively(['ecb', 'gleif', 'bls'], ['ecb']))('loses what the withheld source %s had', async (source) => {
    await refresh();
    const before = await copied();
    await withholdSource(publisher, source, () => at(PUBLICATIONS + 1));
    await service.server.app.get(Heartbeat).poll();
    await refresh();
    const after = await copied();
    expect(after).toEqual(await held());
    expect(after).not.toEqual(before);
  });
});
