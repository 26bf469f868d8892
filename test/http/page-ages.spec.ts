import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { StoppedClock } from '../support/clock.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('A page', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock: new StoppedClock('2026-09-03T12:00:00Z') });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const page = async (path: string): Promise<string> => (await service.get(path, null)).text;

  it('of an instrument tells the age of its quote, and that a newer one is overdue', async () => {
    expect(await page('/markets/brent?locale=en')).toContain(
      '16 days old · a newer figure, due by 26 August 2026, is not stored here',
    );
    expect(await page('/markets/brent?locale=zh')).toContain(
      '距今16天 · 应不晚于2026年8月26日公布的新一期数据尚未收录',
    );
    expect(await page('/markets/brent?locale=ja')).toContain(
      '16日前 · 2026年8月26日までに公表予定だった次の値は未収録です',
    );
  });

  it('of a series tells the age of its newest figure', async () => {
    const text = await page('/macro/gdp-growth/JP?locale=en');
    expect(text).toContain('period ended 246 days ago');
    expect(text).not.toContain('a newer figure was expected');
  });

  it('of search shows the newest figure of the series or instrument that its words name, with its source', async () => {
    const series = await page('/search?q=GDP%20growth%20Japan&locale=en');
    expect(series).toMatch(
      /<a href="\/macro\/gdp-growth\/JP\?locale=en">[^<]+<\/a> <strong>[^<]+%<\/strong> <span class="quiet">2025 · period ended 246 days ago/,
    );
    expect(series).toContain('World Development Indicators');
    expect(await page('/search?q=brent&locale=ja')).toMatch(
      /<a href="\/markets\/brent\?locale=ja">[^<]+<\/a> <strong>[^<]*95[^<]*<\/strong>/,
    );
    expect(await page('/search?q=germany&locale=en')).not.toContain('<strong>');
  });

  it('of search computes a pair that no source prints from its two rates of one day', async () => {
    const { body } = await service.get<{ points: { value: number }[] }[]>('/api/v1/series?series=usdjpy&points=1');
    const [rate] = body.data[0]?.points ?? [];
    const text = await page('/search?q=USD%2FJPY&locale=en');
    const [, shown = ''] = /The two rates against the euro make ([\d.]+) yen per US dollar on /.exec(text) ?? [];
    expect(Number(shown)).toBeCloseTo(rate?.value ?? 0, 1);
    // Both rates are cited.
    expect(text.match(/ European Central Bank: Euro\//g)).toHaveLength(2);
    expect(await page('/search?q=%E3%83%89%E3%83%AB%E5%86%86&locale=ja')).toContain(
      `対ユーロ相場から計算すると、1ドル＝${shown}円です`,
    );
  });

  it('of the newest change of a series tells that a newer figure is overdue', async () => {
    const later = await startTestServer({ database, clock: new StoppedClock('2028-01-03T12:00:00Z') });
    const { body } = await later.get<{ id: string }[]>('/api/v1/changes?kind=release&q=gdp-growth&limit=1');
    const { text } = await later.get(`/changes/${body.data[0]?.id ?? ''}?locale=en`, null);
    await later.close();
    expect(text).toMatch(/Not up to date: a newer figure than that for 2025 was due by/);
  });

  it('of figures as known on a day counts their age on that day', async () => {
    const text = await page('/macro/gdp-growth/JP?asOf=2026-05-01&locale=en');
    expect(text).toContain('period ended 486 days ago');
    expect(text).toContain('The line shows the figures as known on 1 May 2026');
    expect(await page('/markets/brent?asOf=2026-08-30&locale=en')).toContain('12 days old');
  });

  it('of a brief tells its age if it is the newest one', async () => {
    const { body } = await service.get<{ previousDate: string }>('/api/v1/briefs/latest');
    expect(await page('/briefs/latest?locale=en')).toMatch(/\d+ days old/);
    expect(await page(`/briefs/${body.data.previousDate}?locale=en`)).not.toMatch(/days old/);
  });

  it('of an indicator ranks countries in the newest period, neither groups nor older figures', async () => {
    const text = await page('/macro/unemployment-rate?locale=en');
    const row = /<td class="number quiet">(\d*)<\/td><th scope="row"><a href="\/macro\/[\w-]+\/(\w+)[^]*?<td>([^<]*)/g;
    const rows = [...text.matchAll(row)].map(([, rank = '', code = '', period = '']) => ({ rank, code, period }));
    const ranked = rows.filter(({ rank }) => rank !== '');
    expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, at) => String(at + 1)));
    expect(ranked.length).toBeGreaterThan(3);
    expect(ranked.filter(({ code, period }) => code.length !== 2 || period.trim() !== '2025')).toEqual([]);
    expect(rows.find(({ code }) => code === 'WLD')?.rank).toBe('');
    const older = rows.map(({ period }) => period.trim() !== '2025');
    expect(older.lastIndexOf(false)).toBeLessThan(older.includes(true) ? older.indexOf(true) : rows.length);
  });

  it('of a series lists changes of this series alone', async () => {
    const key = await service.key();
    const ids = new Set((await page('/macro/gdp/JP')).match(/chg_[\w-]+/g));
    expect(ids.size).toBeGreaterThan(0);
    for (const id of ids) {
      const { body } = await service.get<{ subject: { key: string } }>(`/api/v1/changes/${id}`, key);
      expect([id, body.data.subject.key]).toEqual([id, 'gdp@JP']);
    }
  });

  it('of an instrument lists its own changes, and says from when figures are stored', async () => {
    const { body } = await service.get<{ subject: { key: string } }[]>('/api/v1/changes?kind=move&limit=1');
    const moved = await page(`/markets/${body.data[0]?.subject.key ?? ''}?locale=en`);
    expect(moved).toMatch(/Changes of this[^]*href="\/changes\/chg_/);
    const empty = await page('/markets/brent?to=1980-01-01&locale=en');
    expect(empty).toMatch(/No figure is stored here for these days\. The figures begin with \d/);
    expect(empty).not.toContain('0 of 0');
  });

  it('of markets shows moves with their percentage, and says once what an age means', async () => {
    const text = await page('/markets?locale=en');
    expect(text).toMatch(/<td class="number">[+-]\$\d+\.\d\d \([+-]\d+(\.\d+)?%\)/);
    expect(text).toContain('Where the next figure is not stored here, it was due by that day');
    expect(text).not.toContain(' · a newer figure');
  });

  it('says that nothing of a series was stored on a day, and keeps the form for another', async () => {
    for (const path of ['/macro/gdp-growth/JP', '/markets/brent']) {
      const text = await page(`${path}?asOf=2001-01-01&locale=en`);
      expect(text).toContain('On 1 January 2001, nothing of this series was stored here yet.');
      expect(text).toContain('name="asOf"');
      expect(text).not.toContain('Changes of this');
    }
  });

  it.each(['/macro/gdp-growth/JP', '/macro/gdp-growth', '/markets/brent'])(
    'opens %s before the first figure',
    async (path) => {
      for (const query of ['to=1900', 'to=1900&asOf=2026-08-30', 'to=1900&asOf=1999-01-01&span=10y&with=DE'])
        expect((await service.get(`${path}?${query}`, null)).status).toBe(200);
    },
  );

  it('leads from older figures back to the newest', async () => {
    const text = await page('/markets/brent?to=2026-07-31&locale=en');
    expect(text).toMatch(/href="\/markets\/brent\?locale=en">Newest figures/);
    expect(await page('/markets/brent?locale=en')).not.toContain('Newest figures');
  });

  it('shows the range of the values that a period had, or that none was restated', async () => {
    const restated = await page('/macro/gdp-growth/JP?locale=en');
    expect(restated).toMatch(/2024<\/th><td class="number">-0\.24<\/td><td class="number quiet">-0\.24 to 0\.10</);
    expect(restated).not.toContain('has been restated since');
    const source = await database.open('api');
    const [one] = await source.query<{ path: string }[]>(`
      SELECT '/macro/' || s.indicator || '/' || s.region AS path FROM series s JOIN indicators i ON i.slug = s.indicator
      WHERE i.frequency = 'A' AND EXISTS (SELECT FROM observations o WHERE o.series_id = s.id)
        AND NOT EXISTS (SELECT FROM observations o WHERE o.series_id = s.id AND o.valid_to IS NOT NULL) LIMIT 1`);
    expect(await page(`${one?.path ?? ''}?locale=en`)).toContain('No value of this series has been restated since');
  });

  it('ranks economies by the figures of a period', async () => {
    const text = await page('/macro/gdp-growth?to=2024&locale=en');
    expect(text).toMatch(/<option value="2024" selected>/);
    expect(text).not.toMatch(/<td>2025/);
    expect(text).toMatch(/Japan<\/a><\/th><td class="number">[^]*?<td>2024[^]*?\(2023\)/);
  });

  it('finds the figure of the year that a search names', async () => {
    expect(await page('/search?q=GDP%20growth%20Japan%202024&locale=en')).toMatch(
      /<strong>−0\.24%<\/strong> <span class="quiet">2024/,
    );
    expect(await page('/search?q=GDP%20growth%20Japan%201931&locale=en')).toMatch(
      /<strong>[^<]*<\/strong> <span class="quiet">2025/,
    );
  });
});
