import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall, type ToolResult } from './rpc.js';

const THIRTEEN = Array.from({ length: 13 }, () => 'brent').join('; ');
const OF_EACH = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `A${letter}, B${letter}`).join(', ');

describe('What a tool says of itself', () => {
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

  const ask = async (tool: string, args: Record<string, unknown>): Promise<ToolResult> =>
    (await post(service.url, toolCall(tool, args), { key })).body.result as ToolResult;
  const textOf = async (tool: string, args: Record<string, unknown>): Promise<string> =>
    (await ask(tool, args)).content[0]?.text ?? '';

  it.each<[about: string, tool: string, args: Record<string, unknown>, expected: RegExp]>([
    [
      'a figure beside a missing one is not called missing itself',
      'series',
      { series: 'gdp', country: 'US', transform: 'yoy', from: '2012', to: '2012' },
      /not computable/,
    ],
    [
      'a span before all figures gives the first',
      'figures',
      { indicator: 'gdp', country: 'US', to: '1950' },
      /for 2012[^]*nearest/,
    ],
    ['a pair of one currency is none', 'series', { series: 'USD/USD' }, /^(?!.*\/markets\/eurusd)/s],
    ['a pair of one currency is none', 'series', { series: 'yen / 日元' }, /^(?!.*\/markets\/eurjpy)/s],
    [
      'every listed name is known',
      'figures',
      { indicator: 'industry-value-added', country: 'JP' },
      /in the catalogue/,
    ],
    [
      'an indicator of one economy needs no country',
      'series',
      { series: 'Fed policy rate' },
      /policy-rate-upper@US|United States/,
    ],
    ['an indicator of several needs one', 'series', { series: 'unemployment' }, /published by country/],
    [
      'an amount of money is no share of GDP',
      'figures',
      { indicator: 'M2', country: 'US' },
      /nothing here is called `M2`|covered/,
    ],
    ['bills have weeks', 'quotes', { instrument: '52-week bill' }, /us-par-yield-1y/],
    [
      'the European Union is itself',
      'figures',
      { indicator: 'gdp', country: 'European Union' },
      /^(?!.*no[^.]*`EU`)/s,
    ],
    [
      'the longest name counts',
      'series',
      { series: 'gdp-per-capita-ppp of Japan', minus: 'gdp-per-capita of Japan' },
      /^(?!.*gdp-per-capita@JP - gdp-per-capita@JP)/s,
    ],
    ['at most twelve series', 'series', { series: THIRTEEN }, /at most 12/],
    ['at most thirty countries', 'figures', { indicator: 'gdp', country: OF_EACH }, /at most 30/],
    [
      'an operand takes the country of the call',
      'series',
      { series: 'gold', per: 'consumer-price-index', country: 'US' },
      /consumer-price-index@US|Consumer price index/i,
    ],
    [
      'keywords beside a name list its changes',
      'latest_changes',
      { query: 'inflation zebra' },
      /No change has all/,
    ],
    ['words beside an economy alone find nothing', 'latest_changes', { query: 'Germany zebra' }, /Nothing/],
  ])('holds: %s (%s %j)', async (_, tool, args, expected) => {
    expect(await textOf(tool, args)).toMatch(expected);
  });

  it('gives no cursor with closes of another span than the requested one', async () => {
    for (const span of [{ from: '2040-01-01' }, { from: '2025-12-25', to: '2025-12-26' }]) {
      const { structuredContent } = await ask('quotes', { instrument: 'eurusd', ...span });
      expect(structuredContent).not.toHaveProperty('meta.page');
    }
  });

  it('gives the reason of a figure that was withdrawn, and no newest period of a series that has none', async () => {
    const figures = await database.open('import');
    const series = "(SELECT id FROM series WHERE indicator = 'gdp' AND region = 'JP')";
    await figures.query(
      `UPDATE observations SET valid_to = '2026-07-15' WHERE series_id = ${series} AND period = '2024' AND valid_to IS NULL`,
    );
    const one = { indicator: 'gdp', country: 'JP', from: '2024', to: '2024' };
    expect(await textOf('figures', one)).toMatch(
      /\$4\.19 trillion [^]*to 15 July 2026[^]*has withdrawn this figure/,
    );
    await figures.query(`UPDATE series SET newest_period = NULL WHERE id = ${series}`);
    const { status, body } = await service.get('/api/v1/macro/gdp?region=JP&from=1950&to=1960');
    expect([status, body.meta.notices]).toEqual([
      200,
      ['There are no figures in this selection for: Japan.'],
    ]);
  });

  it('names no period that a past day did not know', async () => {
    const { body } = await service.get(
      '/api/v1/macro/gdp-growth?region=JP&from=1950&to=1960&asOf=2026-04-30',
    );
    expect(body.meta.notices).toEqual(['There are no figures in this selection for: Japan.']);
  });
});
