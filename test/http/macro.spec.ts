import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { holding, like } from '../support/matchers.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';
import { ECONOMIES, INDICATORS, knownOn, readVintages } from '../support/vintages.js';

interface Shown {
  readonly period: string;
  readonly value: number | null;
  readonly decimals: number | null;
  readonly unit: string;
  readonly source: string;
  readonly origins: readonly string[];
  readonly knownSince: string | null;
  readonly knownUntil?: string | null;
  readonly missing: string | null;
  readonly previous?: { period: string; value: number | null; basis: string; missing: string | null };
}
interface Series {
  readonly indicator: Record<string, unknown>;
  readonly ranking: unknown;
  readonly series: readonly {
    readonly region: { readonly code: string; readonly name: string };
    readonly observations: readonly Shown[];
    readonly source: string;
  }[];
}
interface Board {
  readonly columns: readonly { readonly indicator: string; readonly name: string }[];
  readonly rows: readonly { readonly region: { readonly code: string }; readonly cells: readonly Shown[] }[];
  readonly indicators: readonly { readonly slug: string; readonly url: string }[];
  readonly regions: readonly { readonly code: string }[];
}

const vintages = readVintages();
const DAYS = [...vintages.keys()];
const CELLS = INDICATORS.flatMap((indicator) => ECONOMIES.map((region) => ({ indicator, region })));

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  // The fixture has fewer indicators than a copy of which some are called stale, and its oldest unemployment is stale.
  await (
    await database.open('admin')
  ).query(`
    UPDATE series_vintages v SET partial = true FROM series s
    WHERE s.id = v.series_id AND s.indicator = 'unemployment-rate' AND v.day = '2025-12-17'`);
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const get = async (path: string): Promise<Body<Series>> => {
  const { status, body } = await service.get<Series>(`/api/v1/macro/${path}`);
  expect(status).toBe(200);
  return body;
};
const decimalsOf = (printed: string): number => printed.split('.')[1]?.length ?? 0;
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The expected response of `GET /macro/{indicator}?region=`, according to the files. */
function expectedOn(day: string, indicator: string, region: string): Partial<Shown>[] {
  const known = knownOn(vintages, day, indicator, region);
  const [first, last] = [Number(known[0]?.period ?? 0), Number(known.at(-1)?.period ?? -1)];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const period = String(first + index);
    const cell = known.find((one) => one.period === period);
    if (cell?.printed == null) {
      const missing = cell === undefined ? 'not_published' : 'withdrawn_by_source';
      return { period, value: null, decimals: null, knownSince: null, missing };
    }
    const { printed, since } = cell;
    return { period, value: Number(printed), decimals: decimalsOf(printed), knownSince: since, missing: null };
  });
}

describe('GET /api/v1/macro/{indicator} with asOf', () => {
  it.each(DAYS)('returns on %s every figure as it was known then, equal to the printed one', async (day) => {
    for (const { indicator, region } of CELLS) {
      const { data } = await get(`${indicator}?region=${region}&asOf=${day}`);
      const expected = expectedOn(day, indicator, region);
      expect(expected.length).toBeGreaterThan(5);
      expect(data.series[0]?.observations).toEqual(expected.map((cell) => like(cell)));
    }
  });

  it.each(DAYS)('returns on the eve of %s the figures of the previous vintage', async (day) => {
    const eve = dayBefore(day);
    const { data } = await get(`gdp-growth?region=JP&asOf=${eve}`);
    const expected = expectedOn(eve, 'gdp-growth', 'JP');
    expect(data.series[0]?.observations ?? []).toEqual(expected.map((cell) => like(cell)));
  });

  it('returns a withdrawn figure with its reason, and the figure again after its return', async () => {
    const at = async (day: string) => (await get(`cpi-inflation?region=WLD&asOf=${day}`)).data.series[0];
    expect((await at('2026-05-01'))?.observations.map(({ missing }) => missing)).toEqual(
      Array<string>(13).fill('withdrawn_by_source'),
    );
    const returned = (await at('2026-07-01'))?.observations;
    expect(returned?.every(({ value, knownSince }) => value !== null && knownSince === '2026-07-01')).toBe(true);
  });

  it('returns the figures known today without asOf', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const [plain, dated] = [await get('gdp?region=CN'), await get(`gdp?region=CN&asOf=${today}`)];
    expect(plain.data).toEqual(dated.data);
    const expected = expectedOn('2026-07-01', 'gdp', 'CN').map((cell) => like(cell));
    expect(plain.data.series[0]?.observations).toEqual(expected);
  });

  it.each([
    ['en', 'The earliest stored vintage is of 17 December 2025'],
    ['zh', '2025年12月17日'],
    ['ja', '2025年12月17日'],
  ])('is empty before the first vintage, with a notice that names its day in %s', async (locale, words) => {
    for (const region of ['', '&region=JP']) {
      const { data, meta } = await get(`gdp?asOf=2025-12-16&locale=${locale}${region}`);
      expect(data.series).toEqual([]);
      expect(meta.notices).toEqual([holding(words)]);
      expect(meta.sources).toEqual([]);
    }
  });

  it('has no notice if it returns figures', async () => {
    expect((await get('gdp?asOf=2025-12-17')).meta.notices).toEqual([]);
  });

  it.each([
    ['en', 'The copy of 17 December 2025 was out of date for some series: '],
    ['zh', '2025年12月17日获取的数据中，以下序列并非最新：'],
    ['ja', '2025年12月17日に取得したデータでは、次の系列が最新ではありませんでした：'],
  ])('says in %s that a copy was partial, until the next one', async (locale, words) => {
    const noticesOn = async (day: string) =>
      (await get(`unemployment-rate?region=JP&asOf=${day}&locale=${locale}`)).meta.notices;
    expect(await noticesOn('2026-03-31')).toContainEqual(holding(words));
    expect(await noticesOn('2026-04-01')).toEqual([]);
  });

  it('refuses a day in the future, and accepts today', async () => {
    const today = new Date();
    const tomorrow = new Date(today.getTime() + 86_400_000 * 2);
    const asOf = (time: Date) => service.get(`/api/v1/macro/gdp?asOf=${time.toISOString().slice(0, 10)}&locale=ja`);
    expect((await asOf(today)).status).toBe(200);
    const { status, body } = await asOf(tomorrow);
    expect([status, body.error?.errors]).toEqual([
      400,
      [{ parameter: 'asOf', message: '`asOf`に未来の日付は指定できません。' }],
    ]);
  });
});

describe('GET /api/v1/macro/{indicator}', () => {
  it('describes the indicator with its unit, frequency and the publisher’s own code', async () => {
    expect((await get('gdp-growth')).data.indicator).toMatchObject({
      slug: 'gdp-growth',
      unit: { code: 'percent', dimension: 'ratio', currency: null, scale: 0, per: null, label: 'Percent' },
      frequency: 'A',
      priceBasis: 'constant',
      baseYear: 2015,
      providerCode: 'NY.GDP.MKTP.KD.ZG',
      seasonalAdjustment: null,
    });
  });

  it('returns the latest two periods of every region if no region is given', async () => {
    for (const indicator of INDICATORS) {
      const { data } = await get(`${indicator}?asOf=2026-07-01`);
      expect(data.series.map(({ region }) => region.code)).toEqual([...ECONOMIES].sort());
      for (const { region, observations } of data.series) {
        const expected = expectedOn('2026-07-01', indicator, region.code).slice(-2);
        expect(observations).toEqual(expected.map((cell) => like(cell)));
      }
    }
  });

  it('names the source and the origins of every figure', async () => {
    const { data, meta } = await get('unemployment-rate?region=DE');
    for (const { source, origins } of data.series[0]?.observations ?? []) {
      expect([source, origins]).toEqual(['worldbank-wdi', ['ilo-modelled']]);
    }
    expect(meta.sources.map(({ id }) => id)).toEqual(['ilo-modelled', 'worldbank-wdi']);
  });

  it.each(['JP', 'jp', 'JPN', 'jpn', 'Jpn'])('accepts a region in any spelling: %s', async (code) => {
    const { data } = await get(`gdp?region=${code}`);
    expect(data.series.map(({ region }) => region)).toEqual([{ code: 'JP', name: 'Japan' }]);
  });

  it.each(['WLD', 'wld', 'EMU'])('accepts an aggregate, without its members: %s', async (code) => {
    const { data } = await get(`gdp?region=${code}`);
    expect(data.series.map(({ region }) => region.code)).toEqual([code.toUpperCase()]);
  });

  it.each(['XX', 'ZZZ', '00'])('refuses an unknown region: %s', async (code) => {
    const { status, body } = await service.get(`/api/v1/macro/gdp?region=${code}`);
    expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
  });

  it.each([
    ['FR', 'France'],
    ['BRA', 'Brazil'],
  ])('is an empty 200 for a region without data, with a notice: %s', async (code, name) => {
    const { data, meta } = await get(`gdp?region=${code}`);
    const notice = `No figures of this indicator are stored for: ${name}.`;
    expect([data.series, meta.sources, meta.notices]).toEqual([[], [], [notice]]);
  });

  it('names the regions without figures in a span apart from those without any', async () => {
    const { meta } = await get('gdp-growth?region=FR,JP&from=1950&to=1960');
    expect(meta.notices).toEqual([
      'There are no figures in this selection for: Japan (newest: 2025).',
      'No figures of this indicator are stored for: France.',
    ]);
  });

  it.each([
    ['from=2015&to=2018', ['2015', '2016', '2017', '2018']],
    ['from=2023&asOf=2026-07-01', ['2023', '2024', '2025']],
    ['to=2013', ['2012', '2013']],
    ['from=2015&to=2015', ['2015']],
    ['from=2014-12-31&to=2016-12-31', ['2014', '2015', '2016']],
    ['from=2015-Q1&to=2016-06', ['2015']],
    ['from=1950&to=1960', []],
  ])('limits the series by reference period: %s', async (query, periods) => {
    const { data } = await get(`gdp-growth?region=JP&${query}`);
    expect(data.series[0]?.observations.map(({ period }) => period) ?? []).toEqual(periods);
  });

  it('returns whole series of several regions, each once, however they are spelt', async () => {
    const { data } = await get('gdp?region=JPN,cn,%20jp&from=2023');
    expect(data.series.map(({ region }) => region.code)).toEqual(['CN', 'JP']);
    for (const { region, observations } of data.series) {
      const alone = await get(`gdp?region=${region.code}&from=2023`);
      expect(alone.data.series[0]?.observations).toEqual(observations);
    }
  });

  it.each([
    ['region=JP,XX', 'region'],
    ['region=JP,,CN', 'region'],
    [`region=${Array<string>(31).fill('JP').join(',')}`, 'region'],
    ['limit=0', 'limit'],
    ['limit=2', 'limit'],
    ['limit=2&region=US,DE,JP', 'limit'],
    ['rank=most', 'rank'],
    ['vintages=all', 'vintages'],
    ['vintages=all&region=JP,CN', 'vintages'],
    ['vintages=all&region=JP&rank=highest', 'vintages'],
  ])('refuses contradictory parameters: %s', async (query, parameter) => {
    const { status, body } = await service.get(`/api/v1/macro/gdp?${query}`);
    expect([status, body.error?.errors?.map((fault) => fault.parameter)]).toEqual([400, [parameter]]);
  });

  it.each(['highest', 'lowest'])('ranks countries, and no aggregates, by their newest value: %s', async (rank) => {
    const { data } = await get(`gdp?rank=${rank}&limit=3`);
    const newest = ECONOMIES.filter((code) => code.length === 2).map((code) => {
      const { printed } = knownOn(vintages, '2026-07-01', 'gdp', code).at(-1) ?? {};
      return { code, value: Number(printed) };
    });
    const sorted = newest.toSorted((a, b) => (rank === 'highest' ? b.value - a.value : a.value - b.value));
    expect(data.series.map(({ region }) => region.code)).toEqual(sorted.slice(0, 3).map(({ code }) => code));
    const ends = ECONOMIES.filter((code) => code.length === 2).map(
      (code) => knownOn(vintages, '2026-07-01', 'gdp', code).at(-1)?.period ?? '',
    );
    const newestPeriod = ends.toSorted().at(-1);
    const inNewestPeriod = ends.filter((period) => period === newestPeriod).length;
    expect(data.ranking).toEqual({ countries: ends.length, newestPeriod, inNewestPeriod });
    const among = await get(`gdp?rank=${rank}&region=EMU,WLD,JP&limit=100`);
    expect(among.data.series.map(({ region }) => region.code).sort()).toEqual(['EMU', 'JP', 'WLD']);
    expect(among.data.ranking).toBeNull();
  });

  it('names the countries that a ranking leaves out', async () => {
    const { data, meta } = await get('cpi-inflation?rank=highest&from=2025&limit=100');
    const ranked = data.series.map(({ region }) => region.code);
    const left = ECONOMIES.filter((code) => code.length === 2 && !ranked.includes(code));
    const ends = left.map((code) => knownOn(vintages, '2026-07-01', 'cpi-inflation', code).at(-1)?.period);
    expect([...new Set(ends)]).toEqual(['2024']);
    const names = left.map((code) => new Intl.DisplayNames('en', { type: 'region' }).of(code));
    expect(meta.notices).toContain(`Not ranked, without a comparable figure: ${names.join(', ')}.`);
    expect((await get('gdp?rank=highest')).meta.notices.join()).not.toContain('Not ranked');
  });

  it('returns every value that a period had, with the days from and to which it was known', async () => {
    const { data } = await get('gdp?region=CN&vintages=all&from=2023&to=2025');
    const periods = ['2023', '2024', '2025'];
    for (const day of DAYS) {
      const known = knownOn(vintages, day, 'gdp', 'CN').filter(({ period }) => periods.includes(period));
      const stood = (data.series[0]?.observations ?? []).filter(
        ({ knownSince, knownUntil }) => (knownSince ?? '') <= day && (knownUntil ?? '9999') > day,
      );
      expect(stood.map(({ period, value }) => [period, value])).toEqual(
        known.filter(({ printed }) => printed !== null).map(({ period, printed }) => [period, Number(printed)]),
      );
    }
    expect(data.series[0]?.observations.some(({ knownUntil }) => knownUntil != null)).toBe(true);
  });

  it('responds with 404 to an unknown indicator, and the board is none', async () => {
    expect((await service.get('/api/v1/macro/none')).status).toBe(404);
    expect((await service.get('/api/v1/macro/board?region=JP')).status).toBe(400);
  });

  it('is empty for a catalogue indicator without any series', async () => {
    expect((await get('population')).data.series).toEqual([]);
  });
});

describe('GET /api/v1/macro/board', () => {
  let board: Board;
  beforeAll(async () => {
    board = (await service.get<Board>('/api/v1/macro/board')).body.data;
  });

  it('has a cell for every column in every row', () => {
    expect(board.rows.length).toBeGreaterThan(4);
    for (const { cells } of board.rows) expect(cells).toHaveLength(board.columns.length);
  });

  it('shows in each cell the latest figure, with the period before', () => {
    for (const { region, cells } of board.rows) {
      for (const [index, { indicator }] of board.columns.entries()) {
        const held = INDICATORS.includes(indicator) && ECONOMIES.includes(region.code);
        const expected = held ? expectedOn('2026-07-01', indicator, region.code) : [];
        const [before, latest] = expected.slice(-2);
        if (latest === undefined) {
          expect(cells[index]).toMatchObject({ value: null, period: null, missing: 'not_in_source' });
          continue;
        }
        expect(cells[index]).toMatchObject(latest);
        expect(cells[index]?.previous).toEqual({
          period: before?.period,
          value: before?.value,
          text: before?.value == null ? null : (expect.any(String) as string),
          basis: 'period',
          missing: before?.missing,
        });
      }
    }
  });

  it('names a source in every cell, also in one without a figure', () => {
    for (const { source } of board.rows.flatMap(({ cells }) => cells)) expect(source).toBe('worldbank-wdi');
  });

  it('lists all existing indicators and regions, each with its address', async () => {
    expect(board.indicators.map(({ slug }) => slug).sort()).toEqual([...INDICATORS].sort());
    expect(board.regions.map(({ code }) => code)).toEqual([...ECONOMIES].sort());
    for (const { slug, url } of board.indicators) {
      expect(url).toBe(`${service.url}/api/v1/macro/${slug}`);
      expect((await service.get(url.slice(service.url.length))).status).toBe(200);
    }
  });
});

describe('GET /api/v1/macro', () => {
  it('lists every indicator with a series, as the board does', async () => {
    const list = await service.get<Board['indicators']>('/api/v1/macro');
    const board = await service.get<Board>('/api/v1/macro/board');
    expect(list.body.data).toEqual(board.body.data.indicators);
    expect(list.body.data.map(({ slug }) => slug).sort()).toEqual([...INDICATORS].sort());
  });

  it('returns the whole series of every region for `region=all`', async () => {
    const all = await get('gdp?region=all&from=2020');
    const named = await get(`gdp?region=${ECONOMIES.join(',')}&from=2020`);
    expect(all.data).toEqual(named.data);
    expect((await service.get('/api/v1/macro/gdp?region=all&vintages=all')).status).toBe(400);
  });
});

describe('GET /api/v1/sources', () => {
  it('lists the sources that may be served, with what they publish', async () => {
    const { body } = await service.get<{ id: string; indicators: string[]; series: number }[]>('/api/v1/sources');
    const bank = body.data.find(({ id }) => id === 'worldbank-wdi');
    expect(bank).toMatchObject({ indicators: [...INDICATORS].sort(), series: CELLS.length });
    expect(body.meta.sources.map(({ id }) => id)).toEqual(body.data.map(({ id }) => id));
  });
});
