import { projectedComputation } from '../../src/assistants/projections/computation-projection.js';
import { projectedBars, projectedQuote } from '../../src/assistants/projections/quote-projection.js';
import type { MacroSeries } from '../../src/serve/resources/macro/macro.schema.js';
import type { InstrumentBars, InstrumentDetail } from '../../src/serve/resources/markets/market.schema.js';
import type { Series as Computation } from '../../src/serve/resources/series/series.schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { holding } from '../support/matchers.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { projected } from './projected.js';
import { post, toolCall } from './rpc.js';

interface Spanned {
  readonly points: readonly { readonly period: string; readonly value: number }[];
  readonly statistics: {
    readonly change: { readonly from: string; readonly to: string; readonly change: number; readonly percent: number };
  };
}

describe('Quotes and computed series, as tools and routes', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each([
    [{ instrument: 'eurusd' }, 'eurusd?points=5'],
    [{ instrument: 'Brent', from: '2026-06', limit: 40 }, 'brent?points=40&from=2026-06'],
    [{ instrument: 'Brent', from: '2026-06' }, 'brent?points=31&from=2026-06'],
    [{ instrument: '金价', locale: 'zh' }, 'gold-monthly-average?points=5&locale=zh'],
    [{ instrument: 'brent', timeframe: 'MN', limit: 3 }, 'kind/commodity?instrument=brent&tf=MN&bars=3'],
    [{ kind: 'rate', limit: 1 }, 'kind/rate?bars=1'],
  ])('return the same quotes for %j as for /markets/%s', async (args, path) => {
    const { body } = await service.get(`/api/v1/markets/${path}`);
    const { result } = (await post(service.url, toolCall('quotes', args), { key })).body;
    expect(result?.isError).toBeUndefined();
    expect(result?.structuredContent).toEqual(
      projected(body, (data: InstrumentDetail | InstrumentBars[]) => ({
        data: Array.isArray(data) ? data.map(projectedBars) : projectedQuote(data),
      })),
    );
    expect(result?.content[0]?.text).toMatch(/http.*\/markets\/.*locale=/);
  });

  it.each([
    [{ series: 'ドル円', level: 158 }, 'series=usdjpy&level=158&points=3'],
    [{ series: 'yen per dollar', from: '2026-04' }, 'series=usdjpy&from=2026-04&points=12'],
    [
      { series: '10-year yield', minus: '2-year yield', from: '2025', locale: 'zh' },
      'series=us-par-yield-10y&minus=us-par-yield-2y&from=2025&points=12&locale=zh',
    ],
    [
      { series: 'inflation; Unemployment in Japan', country: 'DE, US', limit: 2 },
      'series=cpi-inflation@DE,cpi-inflation@US,unemployment-rate@JP&points=2',
    ],
    [
      { series: 'GDP', country: '日本', per: 'population', locale: 'ja' },
      'series=gdp@JP&per=population&points=3&locale=ja',
    ],
    [
      { series: 'Brent', frequency: 'M', aggregate: 'high', from: '2026' },
      'series=brent&frequency=M&aggregate=high&from=2026&points=12',
    ],
    [{ series: 'brent', transform: 'pop', level: '-5' }, 'series=brent&transform=pop&level=-5&points=3'],
  ])('compute the same for %j as /series?%s', async (args, query) => {
    const { body } = await service.get(`/api/v1/series?${query}`);
    const { result } = (await post(service.url, toolCall('series', args), { key })).body;
    expect(result?.structuredContent).toEqual(
      projected(body, (data: Computation[]) => ({ data: data.map(projectedComputation) })),
    );
    for (const { url } of body.data as Computation[]) expect(url).toMatch(/\/(series\?|macro\/|markets\/)/);
  });

  it('have the economies that the words name beside those of the argument', async () => {
    const args = { indicator: 'GDP growth of Germany', country: 'JP' };
    const { result } = (await post(service.url, toolCall('figures', args), { key })).body;
    const { series } = result?.structuredContent?.['data'] as { series: { region: { code: string } }[] };
    expect(series.map(({ region }) => region.code)).toEqual(['DE', 'JP']);
  });

  it.each([
    ['series', { series: 'copper' }, /`copper`/],
    ['company', { query: 'MSFX' }, /^not_found/],
    ['series', { series: 'usdjpi' }, /usdjpy/],
    ['series', { series: 'inflation' }, /`country`/],
    ['series', { series: 'unemployment in Japan', transform: 'compound' }, /compound needs growth rates/],
    ['series', { series: 'USD/CNY' }, /no rate of CNY is stored/],
    ['quotes', { instrument: 'ポンド円' }, /GBP\/JPY.* `series`/],
    ['quotes', { instrument: 'スイスフラン円' }, /CHF\/JPY.* `series`/],
    ['quotes', { instrument: 'copper' }, /nothing called `copper` is covered/],
    ['quotes', { instrument: 'S&P 500' }, /Covered are exchange rates, .* neither shares nor share indices/],
    ['quotes', { instrument: 'EUR/TWD' }, /nothing called `EUR\/TWD` is covered/],
    ['quotes', { instrument: 'brnt' }, /Nearest: `brent /],
    ['quotes', { instrument: 'WTI crude' }, /`wti` is in the catalogue, but nothing of it is stored/],
    ['figures', { indicator: 'news' }, /nothing called `news` is covered/],
    ['figures', { indicator: 'real GDP per capita', country: 'JP' }, /nothing (?:here is )?called/],
    ['figures', { indicator: 'nominal GDP growth', country: 'JP' }, /nothing (?:here is )?called/],
    ['figures', { indicator: 'exports in dollars', country: 'JP' }, /nothing (?:here is )?called/],
    ['figures', { indicator: 'GDP per capita in euros', country: 'DE' }, /nothing (?:here is )?called/],
    ['figures', { indicator: '经常账户占GDP比重', country: 'JP' }, /nothing (?:here is )?called/],
    ['figures', { indicator: 'gdp', country: 'JP, Atlantis' }, /nothing called `Atlantis` is covered/],
    ['quotes', { instrument: '日本10年国債利回り' }, /nothing (?:here is )?called/],
    ['quotes', { instrument: 'Brent in euros' }, /nothing (?:here is )?called/],
    ['figures', { indicator: 'unemploymnt rate' }, /Nearest: `unemployment-rate /],
    ['figures', { indicator: '輸出額', country: 'JP' }, /`輸出額`/],
    ['figures', { indicator: 'Brent crude' }, /is `brent`, which the tool `quotes` has/],
    ['figures', { indicator: 'USDJPY' }, /is `usdjpy`, which the tool `series` has/],
    ['quotes', { instrument: 'Fed funds rate' }, /is `policy-rate-upper`, which the tool `figures` has/],
    ['series', { series: '2s10s spread' }, /`series` us-par-yield-10y, `minus` us-par-yield-2y/],
    ['figures', { indicator: 'real exchange rate', country: 'JP' }, /nothing (?:here is )?called/],
    ['quotes', { instrument: 'real estate' }, /nothing called `real estate` is covered/],
    ['series', { series: '10年国債', country: '日本' }, /`us-par-yield-10y` is a rate of United States/],
    ['series', { series: '10-year yield', minus: 'inflation', country: 'Japan' }, /is a rate of United States/],
    ['series', { series: 'inflation', minus: '10-year yield', country: 'Germany' }, /is a rate of United States/],
    ['series', { series: 'Brent-WTI spread' }, /`series` brent, `minus` wti/],
    ['company', { query: 'MSFT Company' }, /^not_found/],
    ['company', { query: 'Micro' }, /^not_found/],
  ])('refuse to take for another thing: %s %j', async (tool, args, expected) => {
    const { result } = (await post(service.url, toolCall(tool, args), { key })).body;
    expect([result?.isError, result?.content[0]?.text]).toEqual([true, expect.stringMatching(expected)]);
  });

  it.each([
    ['figures', { indicator: 'gdp-growth', country: 'Japanese, 米' }, /Japan \(JP\)[^]*United States \(US\)/],
    ['figures', { indicator: 'gdp-growth', country: 'UAE' }, /United Arab Emirates/],
    ['figures', { indicator: 'gdp-growth', country: '阿联酋' }, /United Arab Emirates/],
    ['figures', { indicator: 'Consumer price index', country: 'JP' }, /consumer-price-index is not stored here/],
    ['series', { series: '円相場', limit: 1 }, /usdjpy/],
    ['series', { series: '10-year yield', minus: 'policy rate' }, /− Policy rate [^]*Figures: \d\d/],
    ['quotes', { instrument: '日元汇率' }, /eurjpy/],
  ])('read what people call it: %s %j', async (tool, args, expected) => {
    const { result } = (await post(service.url, toolCall(tool, args), { key })).body;
    expect([result?.isError, result?.content[0]?.text]).toEqual([undefined, expect.stringMatching(expected)]);
  });

  it.each([
    ['figures', { indicator: 'Life expectancy', country: 'JP' }, /in the catalogue, but none of its figures/],
    ['figures', { indicator: 'policy-rate-upper', country: 'JP' }, /for: Japan\. .*only for: United States/],
    ['figures', { indicator: 'gdp', country: 'JP', from: '2040' }, /No figure for 2040 yet, .*nearest/],
    ['quotes', { instrument: 'brent', to: '1950' }, /stored here begin later, with the one below/],
    ['release_calendar', { country: 'JP', from: '2024-01-01' }, /No schedule is stored here for this selection/],
    ['series', { series: 'usdjpy', from: '2026-04-11', to: '2026-04-12' }, /these are the nearest/],
    ['series', { series: 'usdjpy', from: '2026-04-11', to: '2026-04-12' }, /for 10 April 2026/],
    ['company', { query: 'Microsoft', country: 'IE' }, /entities in the countries asked for: \d+\./],
    [
      'company',
      { query: 'LinkedIn Ltd' },
      /No company stored here is called `LinkedIn Ltd` alone[^]*Several companies/,
    ],
    ['latest_changes', { kind: 'structure' }, /No changes of this kind are stored here: structure/],
    ['latest_changes', { query: 'bitcoin' }, /no stored indicator, instrument or economy is called so/],
    ['latest_changes', { query: 'yen', locale: 'ja' }, /次のすべてに当てはまる動きは収録していません：ユーロ／円/],
    ['latest_changes', { query: 'GDP growth 1961' }, /No stored change matches this; fewer conditions/],
    ['latest_changes', { topic: 'gdp', minImportance: 100 }, /No stored change matches this; fewer conditions/],
    ['latest_changes', { query: 'income per person' }, /No stored change matches this/],
  ])('tell why nothing is there: %s %j', async (tool, args, expected) => {
    const { result } = (await post(service.url, toolCall(tool, args), { key })).body;
    expect([result?.isError, result?.content[0]?.text]).toEqual([undefined, expect.stringMatching(expected)]);
  });

  it('compute the change of a span, and the size of a restatement, from what they show', async () => {
    const data = async (tool: string, args: Record<string, unknown>) =>
      (await post(service.url, toolCall(tool, args), { key })).body.result?.structuredContent?.['data'];
    const [span] = (await data('series', { series: 'gdp@JP', from: '2015' })) as Spanned[];
    const [first, last] = [span?.points[0], span?.points.at(-1)];
    const [from, to] = [first?.value ?? 0, last?.value ?? 0];
    expect(span?.statistics.change).toMatchObject({ from: first?.period, to: last?.period });
    expect(span?.statistics.change.change).toBeCloseTo(to - from, -3);
    expect(span?.statistics.change.percent).toBeCloseTo((to / from - 1) * 100, 6);
    const figures = (await data('figures', { indicator: 'gdp', country: 'US', from: '2023', to: '2023' })) as {
      series: { observations: { value: number }[]; restatedBy: number }[];
    };
    const [one] = figures.series;
    const observations = one?.observations ?? [];
    expect(observations.length).toBeGreaterThan(1);
    expect(one?.restatedBy).toBeCloseTo((observations.at(-1)?.value ?? 0) - (observations[0]?.value ?? 0), -3);
  });

  it.each([
    [{ series: 'brent', from: '2026-06' }, /from first to last [+−]?\$[\d.]+[^;(]* \(−?[\d.]+%/],
    [{ series: 'gdp-growth@JP', from: '2020' }, /from first to last −?[\d.]+ percentage points/],
    [
      { series: 'gdp-growth@JP', transform: 'index', from: '2022' },
      /^Must be shown: .*It does not compound them[^]*from first to last −?[\d.]+ (?:\[[^\]]+\])?;/,
    ],
    [
      { series: 'gdp-growth@JP; gdp-growth@DE', level: 0 },
      /^Must be shown: The figures of .*, Japan; .*, Germany stored here begin/,
    ],
    // The span of all that is stored stands with its extremes.
    [{ series: 'gdp-growth@JP' }, /^- [^]*Figures: \d+, \d{4} to \d{4}; lowest/],
    [
      { series: 'brent', level: 0 },
      /The figures of .* stored here begin with [^]*longest run above: \d+ or more, [^]*last run above: \d+ or more,/,
    ],
  ])(
    'say how far a span went, how long a run at least was, and what an index of a rate is: %j',
    async (args, expected) => {
      const { result } = (await post(service.url, toolCall('series', args), { key })).body;
      expect(result?.content[0]?.text).toMatch(expected);
    },
  );

  it('has the first close of a span beside its newest ones, as the route has it', async () => {
    const args = { instrument: 'brent', from: '2026-01' };
    const { result } = (await post(service.url, toolCall('quotes', args), { key })).body;
    const { points, range } = result?.structuredContent?.['data'] as {
      points: { period: string }[];
      range: { figures: number; first: string; oldest: { period: string; value: number } };
    };
    expect([points.length, range.figures > points.length]).toEqual([31, true]);
    const first = await service.get<InstrumentDetail>(`/api/v1/markets/brent?from=${range.first}&to=${range.first}`);
    const [close] = first.body.data.points;
    expect(range.oldest).toMatchObject({ period: range.first, value: close?.value });
    expect(result?.content[0]?.text).toContain(`first ${close?.text ?? ''} for `);
  });

  it('compound growth rates, find weeks by any day, say which run lasts, and rank chosen countries', async () => {
    const data = async <Data>(tool: string, args: Record<string, unknown>) =>
      (await post(service.url, toolCall(tool, args), { key })).body.result?.structuredContent?.['data'] as Data;
    const growth = { series: 'gdp-growth@JP', from: '2020', to: '2022' };
    const [rates] = await data<Spanned[]>('series', growth);
    const [index] = await data<Spanned[]>('series', { ...growth, transform: 'compound' });
    const grown: number[] = [100];
    for (const { value } of rates?.points ?? []) grown.push((grown.at(-1) ?? 0) * (1 + value / 100));
    const total = grown.at(-1) ?? 0;
    expect(index?.points.map(({ value }) => value)).toEqual(grown.map((level) => expect.closeTo(level, 6) as number));
    expect(index?.statistics.change.percent).toBeCloseTo(total - 100, 6);
    const week = { series: 'usdjpy', frequency: 'W', from: '2026-04-08', to: '2026-04-08' };
    expect((await data<Spanned[]>('series', week))[0]?.points).toMatchObject([{ period: '2026-W15' }]);
    const [below] = await data<Spanned[]>('series', { ...growth, level: 99 });
    expect(below?.statistics).toMatchObject({
      level: { lastRun: { side: 'below', figures: 3, first: '2020', last: '2022' } },
    });
    const ranked = { indicator: 'gdp', country: 'JP, US, DE', rank: 'highest', to: '2023' };
    const { series } = await data<{ series: { region: { code: string } }[] }>('figures', ranked);
    expect(series[0]?.region.code).toBe('US');
  });

  it.each([
    [{ indicator: 'GDP of Germany' }, ['DE']],
    [{ indicator: 'inflation in Japan' }, ['JP']],
    [{ indicator: '日本のGDP' }, ['JP']],
    [{ indicator: 'unemployment-rate of Japan' }, ['JP']],
    [{ indicator: 'inflation in euro area' }, ['EMU']],
    [{ indicator: 'GDP in dollars', country: 'JP' }, ['JP']],
    [{ indicator: 'gdp', country: 'G7' }, ['CA', 'DE', 'FR', 'GB', 'IT', 'JP', 'US']],
    [{ indicator: 'gdp', country: 'the G-7 countries' }, ['CA', 'DE', 'FR', 'GB', 'IT', 'JP', 'US']],
    [{ indicator: 'gdp', country: 'G7諸国' }, ['CA', 'DE', 'FR', 'GB', 'IT', 'JP', 'US']],
    [{ indicator: 'unemployment in the US' }, ['US']],
    [{ indicator: 'unemployment', country: '独' }, ['DE']],
  ])('find the figures of %j', async (args, codes) => {
    const { result } = (await post(service.url, toolCall('figures', args), { key })).body;
    const { data } = result?.structuredContent as { data: MacroSeries };
    expect(codes).toEqual(expect.arrayContaining(data.series.map(({ region }) => region.code)));
    expect(data.series.length).toBeGreaterThan(0);
  });

  it.each([{}, { instrument: 'brent', kind: 'fx' }, { instrument: 'no such thing' }])('refuse %j', async (args) => {
    const { result } = (await post(service.url, toolCall('quotes', args), { key })).body;
    expect([result?.isError, result?.content[0]?.text]).toEqual([true, holding('`instrument`')]);
  });
});
