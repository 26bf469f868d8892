// runs: on two instances
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { StoppedCalendar } from '../support/clock.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';

interface Age {
  readonly stale: boolean;
  readonly expectedBy: string | null;
}
interface Quoted {
  readonly key: string;
  readonly status: string;
  readonly quote: (Age & { readonly last: { readonly period: string } }) | null;
}
interface Series {
  readonly series: readonly (Age & { readonly observations: readonly { readonly period: string }[] })[];
}
interface Board {
  readonly rows: readonly {
    readonly region: { readonly code: string };
    readonly cells: readonly (Age & { readonly missing: string | null })[];
  }[];
}
interface Brief extends Age {
  readonly date: string;
  readonly previousDate: string | null;
}
type Fresh<Data> = Body<Data> & {
  readonly meta: {
    readonly freshness?: { newestPeriod: string | null; retrievedAt: string | null; stale: boolean };
    readonly nearest?: { before: string | null; after: string | null };
  };
};

const DAY_MS = 86_400_000;
const NOON = '2026-08-26T12:00:00Z';

describe('The age of figures', () => {
  let database: TestDatabase;
  let service: TestServer;
  let calendar: StoppedCalendar;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    calendar = new StoppedCalendar(NOON);
    service = await startTestServer({ database, clock: calendar });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  afterEach(() => calendar.moveTo(NOON));

  const body = async <Data>(path: string): Promise<Fresh<Data>> => {
    const reply = await service.get<Data>(`/api/v1/${path}`);
    expect([reply.status, reply.body.error]).toEqual([200, undefined]);
    return reply.body;
  };
  const moveTo = (day: string) => calendar.moveTo(`${day}T12:00:00Z`);

  it('of a quote follows the timetable of its publisher: EIA prices of 18 August are due on the 26th', async () => {
    const { data, meta } = await body<Quoted>('markets/brent');
    expect(data.quote).toMatchObject({
      last: { period: '2026-08-18' },
      stale: false,
      expectedBy: '2026-08-26T17:00:00.000Z',
    });
    expect(meta.freshness).toMatchObject({ newestPeriod: '2026-08-18', stale: false });
    expect(meta.notices).toEqual([]);
  });

  it('changes with the day, and with it bytes and ETag', async () => {
    const path = '/api/v1/markets/brent?locale=zh';
    const before = await service.get<Quoted>(path);
    expect((await service.get(path)).headers.get('etag')).toBe(before.headers.get('etag'));
    moveTo('2026-09-03');
    const after = await service.get<Quoted>(path);
    expect([before.body.data.quote?.stale, after.body.data.quote?.stale]).toEqual([false, true]);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body.meta.notices).toContain(
      '数据未更新至最新，按发布机构的惯例，2026年8月18日之后的下一期数据应不晚于2026年8月26日公布，本服务尚未收录。',
    );
  });

  it('of a quote on a past day is judged on that day', async () => {
    moveTo('2026-12-01');
    const now = await body<Quoted>('markets/brent');
    const then = await body<Quoted>('markets/brent?asOf=2026-08-25');
    expect([now.data.quote?.stale, then.data.quote?.stale]).toEqual([true, false]);
    expect([now.meta.freshness?.stale, then.meta.freshness?.stale]).toEqual([true, false]);
  });

  it('of an instrument that its publisher has ended has no end', async () => {
    const { data } = await body<Quoted[]>('markets');
    const ended = data.filter(({ status }) => status === 'discontinued');
    expect(ended.map(({ quote }) => quote)).not.toEqual([]);
    for (const { quote } of ended) expect(quote).toMatchObject({ stale: false, expectedBy: null });
  });

  it('of a series that has ended has a notice, and is not stale', async () => {
    const path = 'macro/gdp-growth?region=JP&locale=ja';
    expect((await body<Series>(path)).meta.notices).toEqual([]);
    moveTo('2040-01-01');
    const { meta } = await body<Series>(path);
    expect([meta.freshness?.stale, meta.notices]).toEqual([
      false,
      ['2025年より後の値は収録していません。すでに公表が終了した系列とみられます。'],
    ]);
  });

  it('stands on each instrument of a list, and the whole is stale only if all are', async () => {
    const { data, meta } = await body<Quoted[]>('markets/kind/commodity');
    const states = data.flatMap(({ quote }) => (quote === null ? [] : [quote.stale]));
    expect(states).toContain(false);
    expect(meta.freshness?.stale).toBe(false);
    moveTo('2028-01-01');
    const later = await body<Quoted[]>('markets/kind/commodity');
    expect(later.data.every(({ quote }) => quote?.stale === true)).toBe(true);
    expect(later.meta.freshness?.stale).toBe(true);
    const newest = later.meta.freshness?.newestPeriod;
    expect(newest).toBe('2026-08-18');
    expect(later.meta.notices).toEqual([
      ...meta.notices,
      'Not up to date: a newer figure than that for 18 August 2026 was due by 26 August 2026 and is not stored here.',
    ]);
  });

  it('come with the notice that a figure of a group is a median of its members, and only of a group', async () => {
    const notices = async (region: string): Promise<string> =>
      (await body<Series>(`macro/cpi-inflation?region=${region}&locale=zh`)).meta.notices.join('');
    expect(await notices('DE,EMU')).toContain('中位数，并非该组别整体的数值');
    expect(await notices('DE')).not.toContain('中位数');
  });

  it('of a series follows its newest figure, also where the window ends earlier', async () => {
    const whole = await body<Series>('macro/gdp-growth?region=JP');
    const early = await body<Series>('macro/gdp-growth?region=JP&to=2015');
    const [all, part] = [whole.data.series[0], early.data.series[0]];
    expect(all?.observations.at(-1)?.period).toBe('2025');
    expect(all).toMatchObject({ stale: false, expectedBy: '2027-07-15T16:00:00.000Z' });
    expect([part?.stale, part?.expectedBy]).toEqual([all?.stale, all?.expectedBy]);
    expect(whole.meta.freshness?.newestPeriod).toBe('2025');
    expect(early.meta.freshness?.newestPeriod).toBe('2015');
    moveTo('2027-12-01');
    const late = await body<Series>('macro/gdp-growth?region=JP&to=2015&locale=ja');
    expect(late.data.series[0]?.stale).toBe(true);
    expect(late.meta.notices).toContain(
      '最新の値ではありません。2025年の次の値（公表元の通常の日程では2027年7月15日までに公表）は未収録です。',
    );
    // Prices of a past span lack nothing.
    const due: unknown = expect.stringContaining('Not up to date');
    expect((await body('series?series=brent&from=2026-08')).meta.notices).toContainEqual(due);
    expect((await body('series?series=brent&from=2026-07&to=2026-07')).meta.notices).not.toContainEqual(due);
  });

  it('stands on each cell of the board', async () => {
    const { data, meta } = await body<Board>('macro/board');
    const cells = data.rows.flatMap((row) => row.cells);
    expect(cells.every(({ stale }) => typeof stale === 'boolean')).toBe(true);
    for (const cell of cells.filter(({ missing }) => missing === 'not_in_source'))
      expect(cell).toMatchObject({ stale: false, expectedBy: null });
    expect(cells.some(({ expectedBy }) => expectedBy !== null)).toBe(true);
    expect(meta.freshness?.newestPeriod).toEqual(expect.any(String));
  });

  it('of the newest brief tells whether newer figures are overdue; an earlier brief is a record', async () => {
    const { data, meta } = await body<Brief>('briefs/latest');
    expect([typeof data.stale, typeof data.expectedBy]).toEqual(['boolean', 'string']);
    expect(meta.freshness).toMatchObject({ stale: data.stale });
    moveTo('2028-01-01');
    const later = await body<Brief>('briefs/latest');
    expect([later.data.stale, later.meta.freshness?.stale]).toEqual([true, true]);
    expect(later.meta.notices).not.toEqual(meta.notices);
    const record = await body<Brief>(`briefs/${later.data.previousDate ?? ''}`);
    expect(record.data).toMatchObject({ stale: false, expectedBy: null });
  });

  it.each(['changes', 'ahead', 'topics', 'companies', 'search?q=inflation'])(
    'is not stated of %s, which has no series',
    async (path) => {
      expect((await body(path)).meta).not.toHaveProperty('freshness');
    },
  );

  it.each([
    ['from=2030&to=2035', { before: '2025-12-31', after: null }],
    ['from=1900&to=1901', { before: null, after: expect.stringMatching(/^\d{4}-12-31$/) as string }],
  ])('is given by the nearest period for a series without figures in %s', async (window, nearest) => {
    const { data, meta } = await body<Series>(`macro/gdp-growth?region=JP&${window}`);
    expect(data.series).toEqual([]);
    expect(meta.nearest).toEqual(nearest);
  });

  describe('of changes without a match in a window', () => {
    const days = async (filter: string): Promise<string[]> => {
      const all: string[] = [];
      let path: string | null = `changes?limit=100&${filter}`;
      while (path !== null) {
        const { data, meta }: Fresh<{ occurredAt: string }[]> = await body(path);
        all.push(...data.map(({ occurredAt }) => occurredAt.slice(0, 10)));
        const cursor: string | null = meta.page?.nextCursor ?? null;
        path = cursor === null ? null : `changes?limit=100&${filter}&cursor=${cursor}`;
      }
      return [...new Set(all)].sort();
    };

    it.each(['', 'country=JP', 'kind=move', 'coverage=prices&minImportance=20'])(
      'is given by the nearest days with one: %s',
      async (filter) => {
        const held = await days(filter);
        expect(held.length).toBeGreaterThan(1);
        for (const [index, day] of held.entries()) {
          const next = held[index + 1];
          const gap = next === undefined ? 2 : (Date.parse(next) - Date.parse(day)) / DAY_MS;
          if (gap < 2) continue;
          const empty = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
          const { data, meta } = await body<unknown[]>(`changes?${filter}&since=${empty}&until=${empty}`);
          expect([empty, data]).toEqual([empty, []]);
          expect([empty, meta.nearest]).toEqual([empty, { before: day, after: next ?? null }]);
        }
      },
    );

    it('is the newest change for a day in the future', async () => {
      const newest = (await days('')).at(-1);
      const { data, meta } = await body<unknown[]>('changes?since=2031-01-01');
      expect([data, meta.nearest]).toEqual([[], { before: newest, after: null }]);
    });

    it('is not stated without a window, or on a page that is not empty', async () => {
      expect((await body('changes?limit=1')).meta).not.toHaveProperty('nearest');
      expect((await body('changes?q=zzzzqqqq')).meta).not.toHaveProperty('nearest');
    });
  });

  it('names the series that wait, since when and why, in the language of the response', async () => {
    const owner = await database.open('admin');
    const rows = await owner.query<{ region: string; period: string; value: string }[]>(
      `SELECT DISTINCT ON (s.region) s.region, o.period, o.value FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.indicator = 'gdp' AND s.region IN ('JP', 'DE', 'US') AND o.valid_to IS NULL
       ORDER BY s.region, o.period DESC`,
    );
    const figures = Object.fromEntries(
      rows.map(({ region, period, value }) => [
        `gdp ${region}`,
        { [period]: String(Math.round(Number(value) * (region === 'JP' ? 1e-6 : 1.001))) },
      ]),
    );
    const [report] = await importFiles(await database.open('import'), OWN, [deliveryOf('2026-08-26', { figures })], {
      now: () => new Date(NOON),
    });
    expect(report).toMatchObject({ outcome: 'published', quarantined: [{ series: 'gdp JP' }] });
    const notices = async (query: string) => (await body<Series>(`macro/gdp?${query}`)).meta.notices.join(' ');
    expect(await notices('region=JP')).toMatch(
      /waiting for a review since 26 August 2026, because they differ [^:]*: .*Japan/,
    );
    expect(await notices('locale=zh')).toContain('自2026年8月26日起');
    expect(await notices('locale=ja&region=JP,DE')).toContain('2026年8月26日から確認待ち');
    expect(await notices('region=DE')).not.toContain('waiting');
    // Figures that wait may be the first of a ranking that does not show them.
    expect(await notices('rank=lowest&limit=1')).toMatch(/waiting [^.]*: [^.]*Japan\./);
    const computed = (await body<unknown>('series?series=gdp@JP&transform=pop')).meta.notices.join(' ');
    expect(computed).toMatch(/waiting [^.]*Japan/);
    expect(await notices('region=JP&asOf=2026-08-20')).not.toContain('waiting');
  });
});
