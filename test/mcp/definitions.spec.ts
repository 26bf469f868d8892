import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, rpc, toolCall, type ToolResult } from './rpc.js';

const THIRTEEN = Array.from({ length: 13 }, () => 'brent').join('; ');
const OF_EACH = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `A${letter}, B${letter}`).join(', ');

/** Of no result on these figures: notices of all tools, corrections; markets and releases of a brief, which its type demands. */
const UNSEEN = /\.meta\.notices$|\.corrections$|^latest_brief \.data\.(?:markets|ahead)\./;

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
      /begin later[^]*for 2012/,
    ],
    ['a pair of one currency is none', 'series', { series: 'USD/USD' }, /^(?!.*\/markets\/eurusd)/s],
    ['a pair of one currency is none', 'series', { series: 'yen / 日元' }, /^(?!.*\/markets\/eurjpy)/s],
    ['every listed name is known', 'figures', { indicator: 'industry-value-added', country: 'JP' }, /in the catalogue/],
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
    ['the European Union is itself', 'figures', { indicator: 'gdp', country: 'European Union' }, /^(?!.*no[^.]*`EU`)/s],
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
    ['keywords beside a name list its changes', 'latest_changes', { query: 'inflation zebra' }, /No change has all/],
    [
      'words beside an economy alone find nothing',
      'latest_changes',
      { query: 'Germany zebra' },
      /^Must be shown: No stored change/,
    ],
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
    expect(await textOf('figures', one)).toMatch(/has withdrawn this figure[^]*\$4\.19 trillion [^]*to 15 July 2026/);
    await figures.query(`UPDATE series SET newest_period = NULL WHERE id = ${series}`);
    const { status, body } = await service.get('/api/v1/macro/gdp?region=JP&from=1950&to=1960');
    expect([status, body.meta.notices]).toEqual([200, ['There are no figures in this selection for: Japan.']]);
  });

  it('names no period that a past day did not know', async () => {
    const { body } = await service.get('/api/v1/macro/gdp-growth?region=JP&from=1950&to=1960&asOf=2026-04-30');
    expect(body.meta.notices).toEqual(['There are no figures in this selection for: Japan.']);
  });

  it('lists no member of a result that no result has', async () => {
    const { body } = await post(service.url, rpc('tools/list'), { key });
    const { tools } = body.result as unknown as { tools: { name: string; outputSchema: Schema }[] };
    const { structuredContent } = await ask('latest_changes', { limit: 25 });
    const changes = structuredContent?.['data'] as { id: string; figure?: { deltaPercent?: number } }[];
    const change = changes.find(({ figure }) => figure?.deltaPercent !== undefined);
    const calls: [string, Record<string, unknown>][] = [
      ['latest_changes', { limit: 25 }],
      ['latest_changes', { query: 'inflation zebra' }],
      ['get_change', { id: change?.id }],
      ['country_heat', {}],
      ['release_calendar', { from: '2024-12-01', to: '2026-01-01', limit: 2 }],
      ['release_calendar', { from: '2024-12-01', to: '2026-01-01' }],
      ['company', { query: 'Allianz SE' }],
      ['company', { query: 'AAPL' }],
      ['company', { query: 'Allianz' }],
      ['latest_brief', {}],
      ['figures', { indicator: 'gdp-growth', country: 'JP, US' }],
      ['figures', { indicator: 'gdp-growth', country: 'Narnia, US' }],
      ['quotes', { instrument: 'brent', from: '2026' }],
      ['quotes', { kind: 'commodity', limit: 1 }],
      ['quotes', { instrument: 'brent', from: '2026', limit: 1 }],
      ['series', { series: 'brent', transform: 'pop', level: 0, from: '2026' }],
      ['series', { series: 'brent', from: '2026' }],
    ];
    const given = new Map(tools.map(({ name }) => [name, new Set<string>()]));
    for (const [name, args] of calls) {
      const schema = tools.find((tool) => tool.name === name)?.outputSchema ?? {};
      for (const path of membersOf(schema, (await ask(name, args)).structuredContent)) given.get(name)?.add(path);
    }
    const never = tools.flatMap(({ name, outputSchema }) =>
      membersOf(outputSchema).flatMap((path) => (given.get(name)?.has(path) ? [] : [`${name} ${path}`])),
    );
    expect(never.filter((path) => !UNSEEN.test(path))).toEqual([]);
  });

  it.each([
    ['figures', { indicator: 'gdp', country: 'JP', from: '2020' }, 'data.series.0.observations'],
    ['quotes', { instrument: 'brent', from: '2026-08' }, 'data.points'],
    ['series', { series: 'brent', from: '2026-08' }, 'data.0.points'],
  ])('gives the figures of %s oldest first in the structure, newest first in the text', async (tool, args, at) => {
    const { structuredContent, content } = await ask(tool, args);
    const points = at
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], structuredContent) as {
      period: string;
    }[];
    const periods = points.map(({ period }) => period);
    expect(periods.length).toBeGreaterThan(2);
    expect(periods).toEqual([...periods].sort());
    const lines = content[0]?.text.split('\n') ?? [];
    const line = lines.findLast((one) => (one.match(/ for /g)?.length ?? 0) >= periods.length) ?? '';
    const [first, last] = [periods[0], periods.at(-1)].map((period = '') => line.lastIndexOf(inWords(period)));
    expect(last).toBeGreaterThanOrEqual(0);
    expect(first).toBeGreaterThan(last ?? 0);
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The paths of the members that a schema lists; of a value, those that it has. */
function membersOf(schema: Schema, value?: unknown, path = ''): string[] {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  if (schema.items !== undefined) return values.flatMap((one) => membersOf(schema.items ?? {}, one, path));
  const parts = (schema.anyOf ?? []).flatMap((one) => membersOf(one, value, path));
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = (value as Record<string, unknown> | undefined)?.[name];
    if (value !== undefined && inner === undefined) return [];
    return [`${path}.${name}`, ...membersOf(member, inner, `${path}.${name}`)];
  });
  return [...parts, ...own];
}

/** 2026-08-18 is 18 August 2026 in English. */
const inWords = (period: string): string =>
  period.length < 10
    ? period
    : new Date(period).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
