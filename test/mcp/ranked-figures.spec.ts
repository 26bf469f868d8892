import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall, type ToolResult } from './rpc.js';

interface OneSeries {
  readonly region: { readonly code: string };
  readonly observations: readonly { readonly period: string; readonly value: number }[];
}

describe('The figures of a tool', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;
  let printedTwice: { readonly region: string; readonly period: string };

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const owner = await database.open('admin');
    await owner.query(
      `WITH made AS (
         INSERT INTO series (indicator, region, source_id, withheld, baseline_day, oldest_period, newest_period)
         SELECT 'current-account-balance', region, 'worldbank-wdi', false, '2026-01-01', '2025', '2025'
         FROM unnest(ARRAY['DE', 'JP', 'US']) AS r (region) RETURNING id, region
       )
       INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT id, '2025', '2026-01-01', CASE region WHEN 'US' THEN -1116 WHEN 'DE' THEN 228 ELSE 191 END, 'worldbank-wdi', false, 1
       FROM made`,
    );
    // The index behind yearly inflation, of a month and of the month a year before it.
    await owner.query(
      `WITH made AS (
         INSERT INTO series (indicator, region, source_id, withheld, baseline_day, oldest_period, newest_period)
         VALUES ('consumer-price-index', 'US', 'bls', false, '2026-06-11', '2025-05', '2026-05') RETURNING id
       )
       INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT id, period, '2026-06-11', value, 'bls', false, 1
       FROM made, (VALUES ('2025-05', 321.465), ('2026-05', 335.123)) AS v (period, value)`,
    );
    // Another floating-point number prints the same value.
    const [row] = await owner.query<{ region: string; period: string }[]>(
      `WITH one AS (
         SELECT o.series_id, o.period, s.region FROM observations o JOIN series s ON s.id = o.series_id
         WHERE s.indicator = 'gdp-growth' AND s.region = 'DE' AND o.value <> 0
         GROUP BY o.series_id, o.period, s.region HAVING count(*) = 1 ORDER BY o.period DESC LIMIT 1
       ), noisy AS (
         INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, data_version)
         SELECT o.series_id, o.period, o.valid_from - 9, o.valid_from, o.value * 1.000000001, o.source_id, o.withheld, o.data_version
         FROM observations o JOIN one USING (series_id, period)
       )
       SELECT region, period FROM one`,
    );
    if (row === undefined) throw new Error('No figure to print twice');
    printedTwice = row;
    // Withdrawn, and given again as it was.
    await owner.query(
      `INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, data_version)
       SELECT o.series_id, o.period, o.valid_from - 30, o.valid_from - 20, o.value, o.source_id, o.withheld, o.data_version
       FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.indicator = 'gdp-growth' AND s.region = 'US' AND o.period = '2019' AND o.valid_to IS NULL`,
    );
    await owner.query(
      `UPDATE observations o SET valid_to = valid_from + 1 FROM series s
       WHERE s.id = o.series_id AND s.indicator = 'unemployment-rate' AND s.region = 'JP' AND o.valid_to IS NULL`,
    );
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const seriesOf = async (args: Record<string, unknown>): Promise<readonly OneSeries[]> => {
    const { body } = await post(service.url, toolCall('figures', args), { key });
    const { structuredContent } = body.result as ToolResult;
    return (structuredContent?.['data'] as { series: readonly OneSeries[] }).series;
  };

  it.each([
    [{ indicator: 'current account deficit' }, 'US'],
    [{ indicator: '経常赤字' }, 'US'],
    [{ indicator: 'current-account-balance' }, 'DE'],
    [{ indicator: 'current account deficit', rank: 'highest' }, 'US'],
    [{ indicator: '経常赤字', rank: 'lowest' }, 'DE'],
    [{ indicator: 'current account deficit', country: 'US, DE, JP', rank: 'lowest' }, 'DE'],
  ])('of %j begin with %s: the largest deficit is the lowest balance', async (args, first) => {
    const [one] = await seriesOf(args);
    expect(one?.region.code).toBe(first);
  });

  it.each([
    [{ indicator: 'current-account-balance' }, /Ranking, highest value first/],
    [{ indicator: 'current account deficit' }, /Ranking, lowest value first/],
    [{ indicator: '経常赤字', rank: 'lowest', locale: 'ja' }, /順位（値の高い順）/],
  ])('of %j state the order of the ranking', async (args, expected) => {
    const { body } = await post(service.url, toolCall('figures', args), { key });
    expect((body.result as ToolResult).content[0]?.text).toMatch(expected);
  });

  it.each([
    ['highest', 'DE,JP,US'],
    ['lowest', 'US,JP,DE'],
  ])('are ranked from the %s in a span of named countries', async (rank, order) => {
    const span = { indicator: 'current-account-balance', country: 'JP, US, DE', from: '2025', to: '2025' };
    const codes = (await seriesOf({ ...span, rank })).map(({ region }) => region.code);
    expect(codes.join()).toBe(order);
  });

  it('rank the members of a union that has figures of its own, as many as asked for', async () => {
    const codesOf = async (args: Record<string, unknown>) =>
      (await seriesOf({ indicator: 'current-account-balance', ...args })).map(({ region }) => region.code);
    expect(await codesOf({ country: 'EU', rank: 'highest', from: '2025', to: '2025' })).toEqual(['DE']);
    expect(await codesOf({ country: '欧元区成员国' })).toEqual(['DE']);
    expect(await codesOf({ country: 'the euro area' })).toEqual([]);
    expect(await codesOf({ country: 'G20', rank: 'lowest', limit: 2 })).toEqual(['US', 'JP']);
  });

  it.each(['gdp growth 2019', 'GDP成長率 2019年'])('are of the year that ends the name: %s', async (indicator) => {
    const [one] = await seriesOf({ indicator, country: 'DE' });
    expect(one?.observations.map(({ period }) => period)).toEqual(['2019']);
  });

  const storedOf = async (region: string, period: string): Promise<number | undefined> => {
    const path = `/api/v1/macro/gdp-growth?region=${region}&vintages=all&from=${period}&to=${period}`;
    const { body } = await service.get<{ series: readonly OneSeries[] }>(path);
    return body.data.series[0]?.observations.length;
  };

  it('name no restatement that only a floating-point number makes, and the page has none', async () => {
    const { region, period } = printedTwice;
    const [one] = await seriesOf({ indicator: 'gdp-growth', country: region, from: period, to: period });
    expect([await storedOf(region, period), one?.observations.length]).toEqual([2, 1]);
    const { text } = await service.get(`/macro/gdp-growth/${region}?locale=en`, null);
    expect(text).toContain('No value of this series has been restated');
  });

  it('of yearly inflation come with the newest month of the index, and its source', async () => {
    const said = async (args: Record<string, unknown>): Promise<string> => {
      const { body } = await post(service.url, toolCall('figures', args), { key });
      return (body.result as ToolResult).content[0]?.text ?? '';
    };
    const text = await said({ indicator: 'CPI', country: 'US' });
    expect(text).toMatch(/^Must be shown: United States, May 2026: 4\.2% on the year, calculated here[^]*\[bls\]/);
    expect(await said({ indicator: 'CPI', country: 'US', from: '2020' })).not.toContain('calculated here');
    expect(await said({ indicator: 'CPI', country: 'JP' })).not.toContain('calculated here');
  });

  it('of a month are those of the year, with what the index says of the month', async () => {
    const said = async (args: Record<string, unknown>): Promise<string> => {
      const { body } = await post(service.url, toolCall('figures', args), { key });
      return (body.result as ToolResult).content[0]?.text ?? '';
    };
    const month = { from: '2026-05', to: '2026-05' };
    expect(await said({ indicator: 'inflation', country: 'US', ...month })).toMatch(
      /^Must be shown: United States, May 2026: 4\.2% on the year, calculated here/,
    );
    for (const span of [{ from: '2026-01' }, { from: '2026-01', to: '2026-05' }, { from: '2026' }])
      expect(await said({ indicator: 'inflation', country: 'US', ...span })).toMatch(
        /^Must be shown: United States, May 2026: 4\.2% on the year, calculated here from the monthly index consumer-price-index/,
      );
    const quarter = { from: '2024-Q4', to: '2024-Q4' };
    expect(await said({ indicator: 'GDP', country: 'JP', ...quarter })).toMatch(/is annual[^]*for 2024/);
    expect(await said({ indicator: 'unemployment', country: 'DE', from: '1960', to: '1960' })).toMatch(
      /those stored here begin later/,
    );
  });

  it.each([
    [{ series: 'US CPI', transform: 'yoy' }, /yoy\(consumer-price-index@US\)[^]*4\.2\d?% /],
    [{ series: 'US CPI', level: 300 }, /above 2, equal 0, below 0/],
    [{ series: 'US CPI', from: '2026-05' }, /335\.123[^\n]* for May 2026/],
    [{ series: '消費者物価指数', country: 'US', frequency: 'M' }, /335\.123[^\n]* for May 2026/],
    [{ series: 'CPI in Japan' }, /inflation, Japan/],
    [{ series: 'inflation', country: 'US' }, /inflation, United States/],
  ])('are of the index where one is meant: %j', async (args, expected) => {
    const { body } = await post(service.url, toolCall('series', args), { key });
    expect((body.result as ToolResult).content[0]?.text).toMatch(expected);
  });

  it('have no change in percent of a balance, and the text says why', async () => {
    const call = toolCall('series', { series: 'current-account-balance@US', transform: 'yoy' });
    const { body } = await post(service.url, call, { key });
    expect((body.result as ToolResult).content[0]?.text).toMatch(
      /Must be shown: Not computable in this selection: Current account balance, United States\. A change in percent needs/,
    );
  });

  it('of an economy whose figures had been withdrawn are not those of a series that has ended', async () => {
    const args = { indicator: 'unemployment-rate', country: 'JP, DE', from: '2019', to: '2019' };
    const { body } = await post(service.url, toolCall('figures', args), { key });
    const text = (body.result as ToolResult).content[0]?.text ?? '';
    expect(text).toMatch(/Japan \(JP\): withdrawn by the source for 2019/);
    expect(text).not.toContain('has probably ended');
  });

  it('name a value twice that was withdrawn between', async () => {
    const [one] = await seriesOf({ indicator: 'gdp-growth', country: 'US', from: '2019', to: '2019' });
    const stored = await storedOf('US', '2019');
    expect(stored).toBeGreaterThan(1);
    expect(one?.observations).toHaveLength(stored ?? 0);
  });
});
