// runs: in full only
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall, type ToolResult } from './rpc.js';

const NOON = '2026-08-26T12:00:00Z';

describe('The text of a tool', () => {
  let database: TestDatabase;
  let service: TestServer;
  let clock: StoppedClock;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    clock = new StoppedClock(NOON);
    service = await startTestServer({ database, clock });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  afterEach(() => clock.advance(Date.parse(NOON) - clock.wall()));

  const moveTo = (day: string) => clock.advance(Date.parse(`${day}T12:00:00Z`) - clock.wall());
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> => {
    const { body } = await post(service.url, toolCall(name, args), { key });
    return body.result as ToolResult;
  };
  const text = async (name: string, args: Record<string, unknown> = {}) =>
    (await call(name, args)).content[0]?.text ?? '';

  it('counts the days since the newest figure, in three languages', async () => {
    const brent = { instrument: 'brent' };
    expect(await text('quotes', brent)).toContain('; 8 days old, not a live price.');
    expect(await text('quotes', { ...brent, locale: 'zh' })).toContain('最新值距今8天，并非实时行情。');
    expect(await text('quotes', { ...brent, locale: 'ja' })).toContain(
      '最新値は8日前のもので、リアルタイムの相場ではありません。',
    );
    const growth = { indicator: 'gdp-growth', country: 'JP' };
    expect(await text('figures', growth)).toContain('Newest: 2025 (238 days ago).');
    expect(await text('figures', { ...growth, locale: 'zh' })).toContain('最新数据：2025年（距今238天）。');
    expect(await text('figures', { ...growth, locale: 'ja' })).toContain('最新：2025年（238日前）');
  });

  it('counts none where the figures are those known on an earlier day', async () => {
    const past = { indicator: 'gdp-growth', country: 'JP', asOf: '2026-05-01' };
    expect(await text('figures', past)).not.toContain('days ago');
    expect(await text('figures', { ...past, asOf: '2026-08-26' })).toContain('Newest: 2025 (');
    const span = { indicator: 'gdp-growth', country: 'JP', from: '2020', to: '2023' };
    expect(await text('figures', span)).not.toContain('days ago');
  });

  it('counts them anew on the next day', async () => {
    moveTo('2026-08-27');
    expect(await text('quotes', { instrument: 'brent' })).toContain('; 9 days old');
  });

  it.each(['latest_changes', 'latest_brief'])('of %s has a line for the age of its figures', async (name) => {
    expect(await text(name)).toMatch(/Newest: .+ \(\d+ days ago\)\./);
  });

  it('says that a quote or a series is overdue', async () => {
    expect(await text('quotes', { instrument: 'brent' })).not.toContain('Not up to date');
    moveTo('2027-12-01');
    expect(await text('quotes', { instrument: 'brent' })).toContain(
      'Must be shown: Not up to date: a newer figure than that for 18 August 2026 was due by 26 August 2026 and is not stored here.',
    );
    const both = { indicator: 'gdp-growth', country: 'JP,US', locale: 'zh' };
    expect(
      (await text('figures', both)).split('数据未更新至最新，应不晚于2027年7月15日公布的下一期数据尚未收录。'),
    ).toHaveLength(3);
    expect(await text('quotes', { kind: 'commodity', locale: 'ja' })).toContain(
      '最新の値ではありません。2026年8月26日までに公表予定だった次の値は未収録です。',
    );
    // Years after, each of them has ended.
    moveTo('2045-12-01');
    expect((await text('figures', both)).split('其后无数据，该序列可能已停止公布')).toHaveLength(3);
  });

  it('comes with the same ages as the twin route', async () => {
    moveTo('2026-09-03');
    const { body } = await service.get<{ quote: object }>('/api/v1/markets/brent?points=5');
    const { structuredContent } = await call('quotes', { instrument: 'brent' });
    const { data, meta } = structuredContent as { data: { quote: object }; meta: object };
    expect(data.quote).toMatchObject({ stale: true, expectedBy: '2026-08-26' });
    expect(body.data.quote).toMatchObject({ stale: true, expectedBy: '2026-08-26T17:00:00.000Z' });
    expect(meta).toMatchObject({ freshness: (body.meta as { freshness?: object }).freshness });
  });

  it('has the nearest figures, and says so, if a series has none in the asked span', async () => {
    const asked = { indicator: 'gdp-growth', country: 'JP', from: '2030', locale: 'zh' };
    expect(await text('figures', asked)).toContain('2030年尚未结束，暂无数据；本服务不收录预测值。');
    expect(await text('figures', { ...asked, from: '1850', to: '1851' })).toContain('收录始于此后');
  });

  it('names the nearest day with a change if the asked days have none', async () => {
    const future = await text('latest_changes', { since: '2031-01-01' });
    expect(future).toContain('Nothing matches.');
    expect(future).toMatch(/Nearest before: \d+ \w+ 2026; nearest after: none\./);
    expect(await text('latest_changes', { query: 'unemployment', since: '2031-01-01' })).toMatch(
      /Nearest before: \d+ \w+ 20\d\d; nearest after: none\./,
    );
  });
});
