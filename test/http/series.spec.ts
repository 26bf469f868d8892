import Big from 'big.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import {
  bucketed,
  compared,
  endOf,
  expectedStatistics,
  isDay,
  quotients,
  twelve,
  type Cell,
} from '../support/series-oracle.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';

interface Point {
  readonly period: string;
  readonly value: number | null;
  readonly text: string | null;
  readonly missing: string | null;
  readonly knownSince: string | null;
  readonly base: string | null;
  readonly complete: boolean;
}
interface Extreme {
  readonly period: string;
  readonly value: number;
}
interface Statistics {
  readonly figures: number;
  readonly missing: number;
  readonly lowest: Extreme & { readonly figures: number };
  readonly highest: Extreme & { readonly figures: number };
  readonly mean: { readonly value: number } | null;
  readonly largestRise: { readonly from: string; readonly to: string; readonly change: number } | null;
  readonly largestFall: { readonly from: string; readonly to: string; readonly change: number } | null;
  readonly level: { readonly above: number; readonly below: number; readonly crossings: number } | null;
}
interface Series {
  readonly series: string;
  readonly name: string;
  readonly url: string;
  readonly unit: { readonly code: string | null; readonly label: string };
  readonly frequency: string;
  readonly computed: {
    readonly operation: string;
    readonly inputs: readonly { series: string; last: unknown }[];
  } | null;
  readonly points: readonly Point[];
  readonly omitted: number;
  readonly statistics: Statistics | null;
  readonly sources: readonly string[];
}

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

const get = async (query: string): Promise<Body<Series[]>> => {
  const { status, body } = await service.get<Series[]>(`/api/v1/series?${query}`);
  expect([query, status, body.error?.errors]).toEqual([query, 200, undefined]);
  return body;
};
const refused = async (query: string) => {
  const { status, body } = await service.get(`/api/v1/series?${query}`);
  expect(status).toBe(400);
  return body.error?.errors?.map(({ parameter, allowed }) => ({ parameter, allowed }));
};

describe('GET /api/v1/series', () => {
  it('refuses to compute with more figures than a request may', async () => {
    const publisher = await database.open('import');
    await publisher.query(
      `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT s.id, day::date::text, '2026-01-01', 1, s.source_id, s.withheld, 1
       FROM series s, generate_series('1900-01-01'::date, '1982-06-01'::date, '1 day') AS day WHERE s.instrument = 'eurhuf'`,
    );
    expect((await get('series=eurhuf&from=1950-01-01&points=1')).data).toHaveLength(1);
    const { status, body } = await service.get('/api/v1/series?series=eurhuf&from=1900-01-01&locale=en');
    expect([status, body.error?.errors?.map(({ parameter, message }) => [parameter, message])]).toEqual([
      400,
      [['from', '`from`: the request would compute with more than 30000 figures. Begin later, or name fewer series.']],
    ]);
    await publisher.query(
      `DELETE FROM observations o USING series s WHERE s.id = o.series_id AND s.instrument = 'eurhuf' AND period < '1983'`,
    );
  });

  it('returns indicators and instruments in the order of the request, as their sources printed them', async () => {
    const { data, meta } = await get('series=eurusd,gdp-growth@JPN,cpi-inflation@US&points=2');
    expect(data.map(({ series }) => series)).toEqual(['eurusd', 'gdp-growth@JP', 'cpi-inflation@US']);
    expect(data.map(({ computed }) => computed)).toEqual([null, null, null]);
    expect(data[0]?.points.at(-1)).toMatchObject({ period: '2026-04-13', value: 1.1684, complete: true });
    expect(data[1]?.url).toMatch(/\/macro\/gdp-growth\?region=JP$/);
    expect(meta.sources.map(({ id }) => id)).toEqual(['ecb', 'imf-ifs', 'oecd-na', 'worldbank-wdi']);
  });

  it('computes a pair of currencies from the rates of one day, however it is written', async () => {
    const [crossed] = (await get('series=usd/jpy&points=1')).data;
    const rates = (await get('series=eurjpy,eurusd&points=1')).data.map(({ points }) => points[0]?.value ?? 0);
    expect(crossed?.points[0]?.value).toBe(twelve(new Big(rates[0] ?? 0).div(rates[1] ?? 1)));
    expect(crossed?.computed).toMatchObject({
      operation: 'eurjpy / eurusd',
      inputs: [{ series: 'eurjpy' }, { series: 'eurusd' }],
    });
    expect(crossed?.unit).toMatchObject({ code: null, label: 'Yen per US dollar' });
    expect(crossed?.sources).toEqual(['ecb']);
    expect((await get('series=USDJPY&points=1')).data).toEqual([crossed]);
    const [inverse] = (await get('series=usdeur&points=1')).data;
    expect(inverse?.points[0]?.value).toBe(twelve(new Big(1).div(rates[1] ?? 1)));
  });

  it('has the last figure of each input up to the end of the span', async () => {
    const [before] = (await get('series=usdjpy&to=2026-04-10&points=1')).data;
    const rates = (await get('series=eurjpy,eurusd&to=2026-04-10&points=1')).data;
    expect(before?.computed?.inputs.map(({ last }) => last)).toEqual(
      rates.map(({ points: [point] }) => ({ period: '2026-04-10', value: point?.value, text: point?.text })),
    );
  });

  it('names the unit and the figure of a pair in each language', async () => {
    const texts = await Promise.all(
      ['en', 'zh', 'ja'].map(async (locale) => {
        const [pair] = (await get(`series=usdjpy&points=1&to=2026-04-13&locale=${locale}`)).data;
        return [pair?.name, pair?.points[0]?.text?.replace(/[\d.]{4,}/, 'N')];
      }),
    );
    expect(texts).toEqual([
      ['US dollar/yen', 'N yen per US dollar'],
      ['美元兑日元', '1美元兑N日元'],
      ['ドル／円', '1ドル＝N円'],
    ]);
  });

  it('subtracts, divides and multiplies series of equal periods', async () => {
    const [rates, spread] = await Promise.all([
      get('series=us-par-yield-10y,us-par-yield-2y&points=1'),
      get('series=us-par-yield-10y&minus=us-par-yield-2y&points=1'),
    ]);
    const [ten, two] = rates.data.map(({ points }) => points[0]?.value ?? 0);
    expect(spread.data[0]).toMatchObject({
      computed: {
        operation: 'us-par-yield-10y - us-par-yield-2y',
        inputs: [ten, two].map((value) => ({ last: { value }, unit: { label: 'Percent' } })),
      },
      points: [{ value: twelve(new Big(ten ?? 0).minus(two ?? 0)) }],
    });
    expect(spread.data[0]?.unit.label).toBe('Percentage points');
  });

  it('gives no value across a missing period, and says which figure is missing', async () => {
    const { data } = await get('series=gdp@NG&transform=yoy&points=1000');
    const stored = new Map((await get('series=gdp@NG&points=1000')).data[0]?.points.map((one) => [one.period, one]));
    for (const point of data[0]?.points ?? []) {
      const base = stored.get(point.base ?? '');
      const isWhole = base?.value != null && stored.get(point.period)?.value != null;
      expect([point.period, point.value !== null]).toEqual([point.period, isWhole]);
      expect(point.missing === null).toBe(point.value !== null);
    }
  });

  it('marks a period whose figures are not all known yet', async () => {
    const { data } = await get('series=eurusd&frequency=M&points=2');
    expect(data[0]?.points.map(({ period, complete }) => [period, complete])).toEqual([
      ['2026-03', true],
      ['2026-04', false],
    ]);
  });

  it('combines series of two frequencies at the lower one', async () => {
    const [mixed] = (await get('series=gdp@US&per=eurusd&points=1')).data;
    const asked = (await get('series=gdp@US&per=eurusd&frequency=A&points=1')).data[0];
    expect(mixed?.computed?.operation).toBe('gdp@US / mean(eurusd, A)');
    expect(mixed?.points).toEqual(asked?.points);
  });

  it('carries a decision to the days on which it holds, until the next one is due', async () => {
    const decisions = (await get('series=policy-rate-upper@US&points=1000')).data[0]?.points ?? [];
    const [yields, spread] = await Promise.all([
      get('series=us-par-yield-10y&points=1000'),
      get('series=us-par-yield-10y&minus=policy-rate-upper@US&points=1000'),
    ]);
    const first = decisions[0]?.period ?? '';
    const days = yields.data[0]?.points.filter(({ period }) => period >= first) ?? [];
    expect(days.length).toBeGreaterThan(30);
    expect(spread.data[0]?.points.map(({ period, value }) => [period, value])).toEqual(
      days.map(({ period, value }) => {
        const holding = decisions.findLast((one) => one.period <= period);
        return [period, twelve(new Big(value ?? 0).minus(holding?.value ?? 0))];
      }),
    );
    const month = 'frequency=M&points=1';
    expect((await get(`series=us-par-yield-10y&minus=policy-rate-upper@US&${month}`)).data).toHaveLength(1);
  });

  it('counts what is converted in the other currency, and says that a change is one', async () => {
    const labels = async (query: string) => (await get(`${query}&points=1`)).data[0]?.unit.label;
    expect(await labels('series=brent&times=usdjpy')).toBe('Yen per barrel');
    expect(await labels('series=brent&per=eurusd')).toBe('Euros per barrel');
    expect(await labels('series=gdp@US&times=usdjpy&frequency=A')).toBe('Yen');
    expect(await labels('series=gdp@US&per=eurusd&frequency=A')).toBe('Euro');
    for (const query of ['series=brent&times=eurusd', 'series=gdp@US&per=usdjpy'])
      expect(await refused(query)).toHaveLength(1);
    // A percentage of an amount is an amount, and of anything else nothing.
    const [amount] = (await get('series=unemployment-rate@JP&times=gdp&points=1')).data;
    expect(amount?.computed?.operation).toBe('unemployment-rate@JP * gdp@JP / 100');
    const [point] = amount?.points ?? [];
    const of = `to=${point?.period ?? ''}&points=1`;
    const [share, whole] = (await get(`series=unemployment-rate@JP,gdp@JP&${of}`)).data;
    const [percent, total] = [share, whole].map((one) => new Big(one?.points[0]?.value ?? 0));
    expect([amount?.unit.code, point?.value]).toEqual(['usd', twelve((percent ?? Big(0)).times(total ?? 0).div(100))]);
    expect(await refused('series=exports-to-gdp@JP&per=population')).toMatchObject([{ parameter: 'per' }]);
    expect(await labels('series=population@JP&transform=change')).toBe('People, change on the period before');
    expect(await labels('series=gdp@JP&transform=yoy')).toBe('Percent, change on the year');
    expect(await labels('series=unemployment-rate@JP&transform=yoy&locale=zh')).toBe('百分点（同比）');
  });

  it('names what begins later than the span, and how often an extreme was reached', async () => {
    const { data, meta } = await get('series=unemployment-rate@JP&from=1950&points=1');
    const [{ period } = { period: '' }] = (await get('series=unemployment-rate@JP&points=1000')).data[0]?.points ?? [];
    expect(meta.notices.join()).toContain(`begin with ${period}`);
    expect(data[0]?.statistics?.lowest.figures).toBe(1);
    const [rate] = (await get('series=us-par-yield-2y&points=1000')).data;
    const highest = rate?.statistics?.highest;
    expect(rate?.points.filter(({ value }) => value === highest?.value)).toHaveLength(2);
    expect(highest?.figures).toBe(2);
  });

  it('refuses what has no result, and names what may have been meant', async () => {
    expect(await refused('series=eurusd,usdjpx')).toMatchObject([{ parameter: 'series' }]);
    expect(await refused('series=gdp@US&minus=population@US')).toMatchObject([{ parameter: 'minus' }]);
    expect(await refused('series=gdp@US&frequency=M')).toMatchObject([{ parameter: 'frequency' }]);
    expect(await refused('series=gdp@US&aggregate=mean')).toMatchObject([{ parameter: 'aggregate' }]);
    expect(await refused('series=eurusd&minus=eurjpy&per=eurgbp')).toMatchObject([{ parameter: 'per' }]);
  });

  it('tells a series without any figures from one without figures in the span', async () => {
    const never = await get('series=gdp@FR');
    expect(never.data[0]).toMatchObject({ points: [], statistics: null });
    expect(never.meta.notices).toEqual(['Nothing is stored of: Nominal GDP, France.']);
    const outside = await get('series=eurusd&from=1980&to=1981');
    expect(outside.meta).toMatchObject({ nearest: { before: null } });
  });
});

/** The same numbers in each run: of a linear congruential generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('What is computed', () => {
  const DAILY = ['eurusd', 'eurjpy', 'eurhuf', 'brent', 'us-par-yield-10y'];
  const YEARLY = ['gdp@US', 'gdp@NG', 'gdp-growth@JP', 'cpi-inflation@DE', 'unemployment-rate@EMU'];
  const RATES = ['us-par-yield-10y', 'gdp-growth@JP', 'cpi-inflation@DE', 'unemployment-rate@EMU'];
  const figures = new Map<string, Cell[]>();

  beforeAll(async () => {
    for (const name of [...DAILY, ...YEARLY]) {
      const [one] = (await get(`series=${name}&points=1000`)).data;
      const cells = one?.points.map(({ period, value }) => ({ period, value: value === null ? null : new Big(value) }));
      figures.set(name, cells ?? []);
    }
  });

  it('counts no figure as missing at the beginning, where there is none to be compared with', async () => {
    const [found] = (await get('series=gdp@US&transform=yoy&points=1')).data;
    const figures = found?.statistics?.figures ?? 0;
    expect(figures).toBeGreaterThan(5);
    expect([found?.statistics?.missing, found?.omitted]).toEqual([0, figures - 1]);
  });

  it('is as old as the oldest of its inputs, whichever is named first', async () => {
    const dayOf = async (query: string): Promise<string | undefined> =>
      (await get(query)).meta.notices.find((notice) => notice.startsWith('Not up to date'));
    const [rate, oil] = [await dayOf('series=usdjpy&points=1'), await dayOf('series=brent&points=1')];
    expect([rate === undefined, oil === undefined, rate === oil]).toEqual([false, false, false]);
    expect(await dayOf('series=brent&times=usdjpy&points=1')).toBe(rate);
    expect(await dayOf('series=usdjpy&times=brent&points=1')).toBe(rate);
  });

  it('equals an independent computation over random spans', async () => {
    const next = numbers(20_261_125);
    const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;
    for (let span = 0; span < exhaustively(1_000, 60); span += 1) {
      const isDaily = next(3) > 0;
      const name = pick(isDaily ? DAILY : YEARLY);
      // A price over a percentage is refused, and so is one over the rate of another currency.
      const isOther = (one: string): boolean => name === 'brent' && one.startsWith('eur') && one !== 'eurusd';
      const peers = DAILY.filter(
        (one) => one !== name && RATES.includes(one) === RATES.includes(name) && !isOther(one),
      );
      const other = isDaily && peers.length > 0 && next(2) === 0 ? pick(peers) : null;
      const frequency = isDaily && next(2) === 0 ? pick(['M', 'Q', 'A']) : null;
      const aggregate = pick(['mean', 'high', 'low', 'last']);
      const transform = pick([null, 'yoy', 'pop', 'change']);
      const all = figures.get(name) ?? [];
      const [first, last] = [next(all.length), next(all.length)].sort((a, b) => a - b);
      const [from, to] = [all[first ?? 0]?.period ?? '', all[last ?? 0]?.period ?? ''];
      const query = [
        `series=${name}&from=${from}&to=${to}&points=1000`,
        ...(other === null ? [] : [`per=${other}`]),
        ...(frequency === null ? [] : [`frequency=${frequency}&aggregate=${aggregate}`]),
        ...(transform === null ? [] : [`transform=${transform}`]),
      ].join('&');
      const divided = other === null ? all : quotients(all, figures.get(other) ?? []);
      const grouped = frequency === null ? divided : bucketed(divided, frequency, aggregate);
      // A running month is compared with no whole one.
      const isRunning = frequency !== null && transform !== null;
      const known = isRunning ? grouped.slice(0, -1) : grouped;
      const made = transform === null ? known : compared(known, transform, RATES.includes(name));
      // What is not computed has all digits of its source.
      const isPrinted = other === null && transform === null && (frequency === null || aggregate !== 'mean');
      const printed = isPrinted ? (value: Big) => Number(value.toString()) : twelve;
      const start = isDay(from) ? from : `${from}-01-01`;
      const expected = made.filter(({ period }) => endOf(period) >= start && endOf(period) <= endOf(to));
      const [found] = (await get(query)).data;
      expect([query, found?.points.map(({ period, value }) => [period, value])]).toEqual([
        query,
        expected.map(({ period, value }) => [period, value && printed(value)]),
      ]);
      const { figures: count, ...statistics } = expectedStatistics(expected, printed);
      const shown = found?.statistics ?? null;
      if (count === 0) expect([query, shown]).toEqual([query, null]);
      else
        expect([query, shown?.figures, { ...statistics }]).toEqual([
          query,
          count,
          {
            low: [shown?.lowest.period, shown?.lowest.value],
            high: [shown?.highest.period, shown?.highest.value],
            mean: shown?.mean?.value,
            rise: shown?.largestRise?.change ?? null,
            fall: shown?.largestFall?.change ?? null,
          },
        ]);
    }
  });
});
