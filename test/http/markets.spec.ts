import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { closesOf, dailyPrices, isoWeekOf, monthOf } from '../support/closes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { marketFixture } from '../support/markets.js';
import { holding, like } from '../support/matchers.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';

interface Shown {
  readonly value: number | null;
  readonly decimals: number | null;
  readonly period: string;
  readonly source: string;
  readonly missing: string | null;
}
interface Item {
  readonly key: string;
  readonly url: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly average: boolean;
  readonly lastObservedOn: string | null;
  readonly unit: { readonly code: string };
  readonly quote: {
    readonly last: Shown;
    readonly previous: Shown;
    readonly change: number | null;
    readonly changePercent: number | null;
  };
}
interface Detail extends Item {
  readonly points: readonly Shown[];
}
interface Bars extends Item {
  readonly timeframe: string;
  readonly missing: string | null;
  readonly bars: readonly {
    readonly period: string;
    readonly open: null;
    readonly high: null;
    readonly low: null;
    readonly close: Shown;
    readonly derived: boolean;
    readonly complete: boolean;
  }[];
}

const ECB = marketFixture('ecb', 'eurofxref-hist.csv');
const BRENT = marketFixture('eia', '2026-08-22', 'brent-daily.csv');

describe('The markets', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const get = async <Data>(path: string): Promise<Body<Data>> => {
    const { status, body } = await service.get<Data>(`/api/v1/markets${path}`);
    expect(status).toBe(200);
    return body;
  };
  const barsOf = async (kind: string, key: string, query: string): Promise<Bars> => {
    const { data } = await get<Bars[]>(`/kind/${kind}?${query}`);
    const found = data.find((item) => item.key === key);
    if (found === undefined) throw new Error(`${key} is not listed`);
    return found;
  };

  describe('GET /api/v1/markets', () => {
    it('lists every instrument that has a figure, each with an attributed source', async () => {
      const { data, meta } = await get<Item[]>('');
      expect(data.map(({ key }) => key).slice(0, 4)).toEqual(['eurusd', 'eurjpy', 'eurhuf', 'eurbgn']);
      expect(data).toHaveLength(4 + 4 + 1 + 14 + 1);
      expect(meta.sources.map(({ id }) => id)).toEqual(['ecb', 'eia', 'frb-h15', 'us-treasury', 'worldbank-pinksheet']);
    });

    it('quotes the last two prices as printed, with the change between them', async () => {
      const { data } = await get<Item[]>('');
      const byKey = new Map(data.map((item) => [item.key, item]));
      expect(byKey.get('eurusd')).toMatchObject({
        status: 'active',
        lastObservedOn: '2026-04-13',
        quote: {
          last: { value: 1.1684, decimals: 4, period: '2026-04-13', source: 'ecb' },
          previous: { value: 1.1711, period: '2026-04-10' },
          change: -0.0027,
          changePercent: -0.230552472035,
        },
      });
      expect(byKey.get('gold-monthly-average')).toMatchObject({
        average: true,
        lastObservedOn: '2026-06-30',
        quote: { last: { value: 4228, decimals: 3, period: '2026-06' } },
      });
    });

    it('shows no percentage of a percentage', async () => {
      const { data } = await get<Item[]>('');
      const yields = data.filter(({ kind }) => kind === 'rate');
      expect(yields).toHaveLength(15);
      expect(yields.filter(({ quote }) => quote.changePercent !== null)).toEqual([]);
      expect(yields.filter(({ quote }) => quote.change === null)).toEqual([]);
    });

    it('keeps an instrument that its source has ended, with its last day', async () => {
      const { data } = await get<Item[]>('');
      expect(data.find(({ key }) => key === 'eurbgn')).toMatchObject({
        status: 'discontinued',
        lastObservedOn: '2025-12-31',
        quote: { last: { value: 1.9558 } },
      });
    });

    it.each([
      ['en', 'Euro/US dollar', 'Monthly average Brent spot price'],
      ['zh', '欧元兑美元', '布伦特原油现货月均价'],
      ['ja', 'ユーロ／米ドル', '北海ブレント原油スポット価格（月平均）'],
    ])('names instruments in %s', async (locale, pair, average) => {
      const names = (await get<Item[]>(`?locale=${locale}`)).data.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([pair, average]));
    });

    it('computes no cross rate', async () => {
      const { data } = await get<Item[]>('');
      expect(data.filter(({ key, kind }) => kind === 'fx' && !key.startsWith('eur'))).toEqual([]);
    });
  });

  describe('GET /api/v1/markets/{key}', () => {
    it('returns as many of the newest points as requested, oldest first, as printed', async () => {
      const printed = dailyPrices(ECB, 'HUF');
      const { data } = await get<Detail>('/eurhuf?points=7');
      expect(data.points.map(({ period, value }) => [period, value])).toEqual(printed.slice(-7));
      expect((await get<Detail>('/eurhuf')).data.points).toHaveLength(90);
      expect((await get<Detail>('/eurhuf?points=1000')).data.points).toHaveLength(printed.length);
    });

    it('shows the points known on a day as of that day, and names the earliest stored day', async () => {
      const { data } = await get<Detail>('/eurhuf?asOf=2026-11-01&points=3');
      const held = (await get<Detail>('/eurhuf?points=3')).data;
      const dated = { url: `${held.url}?asOf=2026-11-01`, page: holding('/eurhuf?asOf=2026-11-01&') };
      expect(data).toMatchObject({ ...held, ...dated });
      const before = await get<Detail>('/eurhuf?asOf=2001-01-01');
      expect([before.data.quote, before.data.points]).toEqual([null, []]);
      expect(before.meta.notices).toEqual([holding('free of charge'), holding('The earliest stored vintage is of')]);
      expect((await service.get('/api/v1/markets/eurhuf?asOf=2100-01-01')).status).toBe(400);
    });

    it('says where the figures of a span begin', async () => {
      const { meta } = await get<unknown>('/brent?from=1988-01-01&points=1');
      expect(meta.notices.at(-1)).toMatch(/^The figures of .*Brent.* stored here begin with .*20\d\d\.$/);
      const newest = await get<unknown>('/brent?points=1');
      expect(newest.meta.notices).toEqual(meta.notices.slice(0, -1));
    });

    it('responds at the address in the list', async () => {
      const [first] = (await get<Item[]>('')).data;
      const { status, body } = await service.get<Detail>(new URL(first?.url ?? '').pathname);
      expect({ status, key: body.data.key }).toEqual({ status: 200, key: 'eurusd' });
    });

    it.each(['eursek', 'nothing', 'kind', 'EURUSD', 'usdjpy'])('responds with 404 to %s', async (key) => {
      const { status, body } = await service.get(`/api/v1/markets/${key}`);
      expect({ status, code: body.error?.code }).toEqual({ status: 404, code: 'not_found' });
    });

    it.each(['0', '1001', '-1', 'x', '1.5', ''])('refuses points=%s', async (points) => {
      const { status, body } = await service.get(`/api/v1/markets/eurusd?points=${points}`);
      expect({ status, parameter: body.error?.errors?.[0]?.parameter }).toEqual({ status: 400, parameter: 'points' });
    });
  });

  describe('GET /api/v1/markets/kind/{kind}', () => {
    it.each([
      ['fx', 'eurusd', ECB, 'USD'],
      ['commodity', 'brent', BRENT, 'Price'],
    ])('rolls %s up by %s as an independent computation from the daily file does', async (kind, key, file, column) => {
      const prices = dailyPrices(file, column);
      for (const [tf, periodOf] of [
        ['W1', isoWeekOf],
        ['MN', monthOf],
      ] as const) {
        const { bars, missing } = await barsOf(kind, key, `tf=${tf}&bars=260`);
        expect(missing).toBeNull();
        expect(bars.map(({ period, close }) => ({ period, day: close.period, value: close.value }))).toEqual(
          closesOf(prices, periodOf),
        );
        for (const bar of bars) expect(bar).toMatchObject({ open: null, high: null, low: null, derived: true });
        expect(bars.map(({ complete }) => complete)).toEqual(bars.map((_, index) => index < bars.length - 1));
      }
    });

    it('returns the bars of one instrument in a window; the last one is complete if later prices are stored', async () => {
      const { data } = await get<Bars[]>('/kind/commodity?instrument=brent&tf=MN&from=2026-05&to=2026-06-30');
      expect(data.map(({ key }) => key)).toEqual(['brent']);
      expect(data[0]?.bars.map(({ period, complete }) => [period, complete])).toEqual([
        ['2026-05', true],
        ['2026-06', true],
      ]);
      const { body } = await service.get('/api/v1/markets/kind/commodity?instrument=brant');
      expect(body.error?.errors).toEqual([like({ parameter: 'instrument', allowed: ['brent'] })]);
    });

    it('returns thirty days as printed by default', async () => {
      const { bars, timeframe } = await barsOf('fx', 'eurjpy', '');
      expect(timeframe).toBe('D1');
      expect(bars.map(({ period, close }) => [period, close.value])).toEqual(dailyPrices(ECB, 'JPY').slice(-30));
      expect(bars.every(({ derived, complete }) => !derived && complete)).toBe(true);
    });

    it('completes the last period of an ended instrument', async () => {
      const { bars } = await barsOf('fx', 'eurbgn', 'tf=MN');
      expect(bars).toEqual([like({ period: '2025-12', complete: true })]);
    });

    it('keeps official averages apart from closes', async () => {
      const closes = await barsOf('commodity', 'brent', 'tf=MN');
      const averages = await barsOf('commodity', 'brent-monthly-average', 'tf=MN');
      const july = (bars: Bars) => bars.bars.find(({ period }) => period === '2026-07');
      expect(july(closes)).toMatchObject({ close: { value: 96.95, period: '2026-07-31' }, derived: true });
      expect(july(averages)).toMatchObject({ close: { value: 83.76, period: '2026-07' }, derived: false });
      const weeks = await barsOf('commodity', 'brent-weekly-average', 'tf=W1&bars=1');
      expect(weeks.bars).toEqual([like({ period: '2026-W33', derived: false, complete: true })]);
    });

    it.each([
      ['gold-monthly-average', 'D1'],
      ['gold-monthly-average', 'W1'],
      ['brent-weekly-average', 'D1'],
      ['brent-weekly-average', 'MN'],
    ])('has no bars of %s in %s, and gives the reason', async (key, tf) => {
      expect(await barsOf('commodity', key, `tf=${tf}`)).toMatchObject({ bars: [], missing: 'not_published' });
    });

    it.each(['index', 'equity'])('is an empty list for %s, which no publisher licenses openly', async (kind) => {
      expect((await get<Bars[]>(`/kind/${kind}`)).data).toEqual([]);
    });

    it.each(['crypto', 'FX', ''])('responds with 404 to the kind "%s"', async (kind) => {
      expect((await service.get(`/api/v1/markets/kind/${kind}`)).status).toBe(404);
    });

    it.each([
      ['tf=H1', 'tf'],
      ['tf=d1', 'tf'],
      ['bars=261', 'bars'],
      ['bars=0', 'bars'],
    ])('refuses %s', async (query, parameter) => {
      const { status, body } = await service.get(`/api/v1/markets/kind/fx?${query}`);
      expect({ status, parameter: body.error?.errors?.[0]?.parameter }).toEqual({ status: 400, parameter });
    });
  });

  describe('The moves of the markets', () => {
    it('are among the changes, dated by the observed day', async () => {
      const { body } = await service.get<
        {
          occurredAt: string;
          occurredBasis: string;
          subject: { type: string; key: string };
          countries: string[];
          figure: { previous: Shown; actual: Shown & { knownSince: string | null }; deltaPercent: number };
        }[]
      >('/api/v1/changes?kind=move&topic=exchange-rates&limit=100');
      const found = body.data.find(
        ({ occurredAt, subject }) => subject.key === 'eurhuf' && occurredAt === '2026-04-13',
      );
      expect(found).toMatchObject({
        occurredBasis: 'observed',
        subject: { type: 'instrument', key: 'eurhuf', region: null },
        countries: ['EMU', 'HU'],
        figure: {
          actual: { value: 366.9, period: '2026-04-13', knownSince: '2026-04-13' },
          previous: { value: 377.2, period: '2026-04-10' },
          delta: -10.3,
          deltaPercent: -2.73064687169,
        },
      });
    });
  });
});

describe('A day whose price the source has withdrawn', () => {
  let database: TestDatabase;
  let service: TestServer;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const publisher = await database.open('import');
    folder = await mkdtemp(join(tmpdir(), 'markets-'));
    const header = 'Date,USD,JPY,\n';
    const files = [
      ['first.csv', `${header}2026-04-10,1.1711,186.43,\n2026-04-09,1.1683,185.80,\n`],
      ['second.csv', `${header}2026-04-13,N/A,186.75,\n2026-04-10,N/A,186.43,\n2026-04-09,1.1683,185.80,\n`],
    ] as const;
    for (const [name, text] of files) {
      await writeFile(join(folder, name), text);
      const deliveries = await ecb.open([join(folder, name)], null);
      await importFiles(publisher, ecb, deliveries, { accept: 'a test', now: () => new Date() });
    }
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('has no price: it is no quote, point or close', async () => {
    const { body } = await service.get<Detail>('/api/v1/markets/eurusd');
    expect(body.data.points.map(({ period }) => period)).toEqual(['2026-04-09']);
    expect(body.data.quote).toMatchObject({
      last: { period: '2026-04-09', value: 1.1683 },
      previous: { period: '2026-04-08', value: null, missing: 'not_published' },
      change: null,
      changePercent: null,
    });
    const { body: weeks } = await service.get<Bars[]>('/api/v1/markets/kind/fx?tf=W1');
    expect(weeks.data.map(({ key, bars }) => [key, bars.map(({ close }) => close.period)])).toEqual([
      ['eurusd', ['2026-04-09']],
      ['eurjpy', ['2026-04-10', '2026-04-13']],
    ]);
  });
});

describe('An empty database', () => {
  let database: TestDatabase;
  let service: TestServer;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has empty market lists and no instrument', async () => {
    for (const path of ['/markets', '/markets/kind/fx', '/markets/kind/commodity?tf=MN']) {
      expect(await service.get(`/api/v1${path}`)).toMatchObject({ status: 200, body: { data: [] } });
    }
    expect((await service.get('/api/v1/markets/eurusd')).status).toBe(404);
  });
});

describe('The fixtures', () => {
  it('have the line endings of their publishers', async () => {
    expect(await readFile(ECB, 'utf8')).toMatch(/^Date,USD,JPY,BGN,HUF,\n/);
    expect(await readFile(BRENT, 'utf8')).toMatch(/^Date,Price\r\n/);
  });
});
