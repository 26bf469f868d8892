// runs: in full only
import { dailyPrices } from '../support/closes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { marketFixture } from '../support/markets.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { pagesOf } from '../support/walk.js';

interface Close {
  readonly period: string;
  readonly value: number | null;
}
interface Bars {
  readonly bars: readonly { readonly period: string; readonly close: Close }[];
}

interface Ranged {
  readonly range: {
    readonly figures: number;
    readonly first: string;
    readonly last: string;
    readonly lowest: Close;
    readonly highest: Close;
    readonly mean: { readonly value: number; readonly text: string };
  } | null;
}

const ECB = marketFixture('ecb', 'eurofxref-hist.csv');

describe('The history of an instrument', () => {
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

  it('has its points page by page within a window, newest page first', async () => {
    const printed = dailyPrices(ECB, 'HUF');
    const [from, to] = [printed.at(-30)?.[0] ?? '', printed.at(-5)?.[0] ?? ''];
    const pages: (readonly [string, number | null])[][] = [];
    const address = `/api/v1/markets/eurhuf?points=10&from=${from}&to=${to}`;
    for await (const { data } of pagesOf<{ readonly points: readonly Close[] }>(service, address))
      pages.unshift(data.points.map(({ period, value }) => [period, value] as const));
    expect(pages.map((page) => page.length)).toEqual([6, 10, 10]);
    expect(pages.flat()).toEqual(printed.slice(-30, -4));
  });

  it.each([
    ['commodity', 'brent', 'W1'],
    ['commodity', 'brent', 'D1'],
    ['commodity', 'brent-weekly-average', 'W1'],
    ['fx', 'eurusd', 'MN'],
  ])('has its bars page by page: %s %s in %s', async (kind, key, tf) => {
    const address = `/api/v1/markets/kind/${kind}?instrument=${key}&tf=${tf}`;
    const whole = (await service.get<Bars[]>(`${address}&bars=260`)).body.data[0]?.bars ?? [];
    const size = Math.max(1, Math.floor(whole.length / 3) - 1);
    const pages: Bars['bars'][] = [];
    for await (const { data } of pagesOf<Bars[]>(service, `${address}&bars=${String(size)}`))
      pages.unshift(data[0]?.bars ?? []);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual(whole);
  });

  it('has no pages beside that of other instruments, and a cursor belongs to one instrument', async () => {
    const all = await service.get('/api/v1/markets/kind/fx?bars=1');
    expect(all.body.meta.page).toBeUndefined();
    const one = await service.get('/api/v1/markets/kind/fx?instrument=eurusd&bars=1');
    const cursor = one.body.meta.page?.nextCursor ?? '';
    for (const query of ['', 'instrument=eurjpy&', 'instrument=eurusd&tf=MN&']) {
      const { body } = await service.get(`/api/v1/markets/kind/fx?${query}bars=1&cursor=${cursor}`);
      expect(body.error?.code).toBe('invalid_cursor');
    }
  });

  it('has lowest, highest and mean of all figures from a day on, however many are shown', async () => {
    const address = '/api/v1/markets/eurhuf?from=2026-01-01&points=2';
    const { data, meta } = (await service.get<Ranged>(address)).body;
    const { range } = data;
    const prices = dailyPrices(ECB, 'HUF').filter(([day]) => day >= '2026-01-01');
    const values = prices.map(([, value]) => value);
    const firstOf = (value: number) => prices.find(([, one]) => one === value);
    expect(range).toMatchObject({ figures: values.length, first: prices[0]?.[0], last: prices.at(-1)?.[0] });
    expect([range?.lowest.period, range?.lowest.value]).toEqual(firstOf(Math.min(...values)));
    expect([range?.highest.period, range?.highest.value]).toEqual(firstOf(Math.max(...values)));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(range?.mean.value).toBeCloseTo(mean, 1);
    expect(range?.mean.text).toContain(range?.mean.value.toFixed(2));
    for (const query of ['publishedSince=2026-01-01', 'publishedSince=2099-01-01']) {
      expect((await service.get<Ranged>(`${address}&${query}`)).body.data.range).toEqual(range);
    }
    const later = `${address}&cursor=${meta.page?.nextCursor ?? ''}`;
    const none = ['', '?from=2100-01-01'].map((query) => `/api/v1/markets/eurhuf${query}`);
    for (const unranged of [later, ...none]) {
      const { body } = await service.get<Ranged>(unranged);
      expect(body.data.range).toBeNull();
    }
  });

  it('can be looked up on its page for any day, with the lowest and the highest figure', async () => {
    const { text } = await service.get('/markets/eurusd?locale=en&span=5y&to=2026-01-02');
    const form = /<form class="chart-place no-print" action="\/markets\/eurusd">.*?name="to".*?<\/form>/.exec(
      text,
    )?.[0];
    expect(form).toContain('<input type="hidden" name="span" value="5y">');
    expect(form).toContain('name="to" value="2026-01-02"');
    const rows = [...text.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, period]) => period);
    expect(rows[0]).toBe('2 January 2026');
    expect(text).toMatch(
      /From .* to 2 January 2026: low [\d.]+ US dollars per euro \(.*, high [\d.]+ US dollars per euro \(/,
    );
    expect(text).toMatch(/<p class="figure"><strong>[^<]+<\/strong><span>2 January 2026<\/span><\/p>/);
  });

  it('has a file of the span that its page shows', async () => {
    const daysOf = async (query: string) => {
      const { text } = await service.get(`/markets/eurusd?locale=en&format=csv${query}`);
      return [...text.matchAll(/^eurusd,[^,]*,(\d{4}-\d{2}-\d{2}),/gm)].map(([, day = '']) => day);
    };
    const [all, year] = [await daysOf(''), await daysOf('&span=1y&to=2026-01-02')];
    expect(year).toEqual(all.filter((day) => day >= '2025-01-02' && day <= '2026-01-02'));
    expect(year.length).toBeLessThan(all.length);
    expect(year.at(-1)).toBe('2026-01-02');
    const { text } = await service.get('/macro/gdp-growth/JP?locale=en&format=csv&span=5y&to=2024');
    const periods = [...text.matchAll(/^gdp-growth,JP,[^,]*,(\d{4}),/gm)].map(([, period]) => period);
    expect([periods[0], periods.at(-1)]).toEqual(['2020', '2024']);
  });
});
