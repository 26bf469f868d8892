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
      '16 days old · a newer figure was expected by 26 August 2026',
    );
    expect(await page('/markets/brent?locale=zh')).toContain(
      '距今16天 · 新一期数据应已于2026年8月26日前公布',
    );
    expect(await page('/markets/brent?locale=ja')).toContain(
      '16日前 · 次の値は2026年8月26日までに公表されているはずです',
    );
  });

  it('of a series tells the age of its newest figure', async () => {
    const text = await page('/macro/gdp-growth/JP?locale=en');
    expect(text).toContain('246 days old');
    expect(text).not.toContain('a newer figure was expected');
  });

  it('of figures as known on a day counts their age on that day', async () => {
    const text = await page('/macro/gdp-growth/JP?asOf=2026-05-01&locale=en');
    expect(text).toContain('486 days old');
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
    const row =
      /<td class="number quiet">(\d*)<\/td><th scope="row"><a href="\/macro\/[\w-]+\/(\w+)[^]*?<td>([^<]*)/g;
    const rows = [...text.matchAll(row)].map(([, rank = '', code = '', period = '']) => ({
      rank,
      code,
      period,
    }));
    const ranked = rows.filter(({ rank }) => rank !== '');
    expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, at) => String(at + 1)));
    expect(ranked.length).toBeGreaterThan(3);
    expect(ranked.filter(({ code, period }) => code.length !== 2 || period.trim() !== '2025')).toEqual([]);
    expect(rows.find(({ code }) => code === 'WLD')?.rank).toBe('');
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
});
