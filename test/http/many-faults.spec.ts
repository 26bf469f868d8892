// runs: in full only
import { post, toolCall } from '../mcp/rpc.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `x${String(at)}`);
const refused = async (count: number, locale = 'en') => {
  const query = names(count).map((name) => `${name}=1`);
  const { status, body } = await service.get(`/api/v1/changes?locale=${locale}&${query.join('&')}`);
  expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
  return body.error;
};

describe('A request with many mistakes', () => {
  it('gets ten of them named, and the number of the others', async () => {
    for (const [count, more] of [
      [10, /with what they accept\.$/],
      [11, / Only the first 10 errors are listed; there is 1 more\.$/],
      [63, / Only the first 10 errors are listed; there are 53 more\.$/],
    ] as const) {
      const error = await refused(count);
      expect(error?.errors?.map(({ parameter }) => parameter)).toEqual(names(Math.min(count, 10)));
      expect(error?.detail).toMatch(more);
    }
    expect((await refused(12, 'zh'))?.detail).toMatch(/。此处仅列出前10处错误，另有2处。$/);
    expect((await refused(12, 'ja'))?.detail).toMatch(/。最初の10件のみ記載しています。このほかに2件あります。$/);
  });

  it('is refused as a whole above 64 parameters', async () => {
    expect(await refused(64)).toMatchObject({ detail: 'A request may have at most 64 parameters; this one has 65.' });
    expect((await refused(1_000))?.errors).toBeUndefined();
    const { body } = await service.get(`/api/v1/changes?${'country=JP&'.repeat(70)}`);
    expect(body.error?.detail).toBe('A request may have at most 64 parameters; this one has 70.');
  });

  it('gets each parameter’s name repeated up to a line’s length', async () => {
    const { body } = await service.get(`/api/v1/changes?${'😀'.repeat(200)}%0a=1`);
    const [fault] = body.error?.errors ?? [];
    expect(fault?.parameter).toBe('😀'.repeat(50));
    expect(fault?.message).toBe(`The route has no parameter \`${'😀'.repeat(32)}…\`.`);
    const cut = await service.get(`/api/v1/changes?x${'😀'.repeat(200)}=1`);
    expect(cut.body.error?.errors?.[0]).toMatchObject({
      parameter: `x${'😀'.repeat(49)}\ufffd`,
      message: `The route has no parameter \`x${'😀'.repeat(31)} …\`.`,
    });
  });

  it('gets the same error from a tool of the MCP endpoint', async () => {
    const key = await service.key();
    const said = async (count: number) => {
      const args = Object.fromEntries(names(count).map((name) => [name, 1]));
      const { body } = await post(service.url, toolCall('latest_changes', args), { key });
      return body.result?.content[0]?.text ?? '';
    };
    const lines = (await said(13)).split('\n');
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(10);
    expect(lines.at(-1)).toBe('Only the first 10 errors are listed; there are 3 more.');
    expect(await said(500)).toBe('invalid_parameter: A request may have at most 64 parameters; this one has 500.');
  });
});

describe('A request with faults of several kinds', () => {
  const faultsOf = async (path: string) => {
    const { status, body } = await service.get(`/api/v1/${path}`);
    expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
    return (body.error?.errors ?? []).map(({ parameter }) => parameter).sort();
  };

  it.each([
    // The form of one parameter, names that the data lacks, and an order of two.
    ['changes?limit=0&country=XX&coverage=nothing&topic=none', ['country', 'coverage', 'limit', 'topic']],
    ['changes?since=2026-02-01&until=2026-01-01&country=XX&sort=x', ['country', 'since', 'sort']],
    ['ahead?from=2026-01-01&to=2028-01-01&importance=x&country=XX', ['country', 'importance', 'to']],
    ['macro/gdp-growth?asOf=2999-01-01&from=2025&to=2020&rank=x&region=XX', ['asOf', 'from', 'rank', 'region']],
    ['macro/gdp-growth?publishedSince=2026-01-01&limit=3&rank=highest&region=XX', ['limit', 'rank', 'region']],
    ['markets/eurusd?asOf=2999-01-01&from=2025&to=2020&points=0', ['asOf', 'from', 'points']],
    ['markets/kind/fx?instrument=none&from=2025&to=2020&tf=H1', ['from', 'instrument', 'tf']],
    ['companies?q=a&publishedSince=2026-01-01&country=XX&x=1', ['country', 'q', 'x']],
  ])('gets all of them at once: %s', async (path, expected) => {
    expect(await faultsOf(path)).toEqual(expected);
  });

  it('gets the topics that resemble an unknown one, or all of them', async () => {
    const fault = async (topic: string) => {
      const { body } = await service.get(`/api/v1/changes?topic=${topic}`);
      return body.error?.errors?.[0];
    };
    const { body } = await service.get<readonly { slug: string }[]>('/api/v1/topics');
    const slugs = body.data.map(({ slug }) => slug);
    expect(await fault('inflatoin')).toMatchObject({
      allowed: ['inflation'],
      message: 'The value of `topic` is not known here. Nearest: `inflation`.',
    });
    const all = await fault('qqqqqqqqqqqqqqqqqqqq');
    expect(all?.message).toBe(`\`topic\` must be one of ${all?.allowed?.join(', ')}.`);
    expect(all?.allowed?.toSorted()).toEqual(slugs.toSorted());
  });

  it('gets the code that people mean by one that ISO 3166-1 does not have', async () => {
    const { body } = await service.get('/api/v1/macro/gdp-growth?region=UK');
    expect(body.error?.errors?.[0]?.allowed).toEqual(['GB']);
  });

  it('stands in the log by its code, without what the caller sent', async () => {
    const { headers } = await service.get('/api/v1/changes?tm_secret=1');
    const id = headers.get('x-request-id') ?? 'none';
    const line = service.lines.find((one) => one.includes(id)) ?? '';
    expect(JSON.parse(line)).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(line).not.toContain('secret');
  });

  it('gets no fault of a check that rests on a faulty parameter', async () => {
    expect(await faultsOf('macro/gdp-growth?vintages=all&region=TOOLONG')).toEqual(['region']);
    expect(await faultsOf('changes?since=tomorrow&until=2026-01-01')).toEqual(['since']);
  });

  it('gets its faults before a name in the path that nothing has', async () => {
    expect(await faultsOf('macro/nothing?limit=0&region=XX')).toEqual(['limit', 'region']);
    expect(await faultsOf('macro/NOTHING!?limit=0')).toEqual(['limit']);
    expect(await faultsOf('topics/none?x=1')).toEqual(['x']);
  });

  it('gets every unknown code of a list named, in the language of the request', async () => {
    const { body } = await service.get('/api/v1/changes?country=XX,JP,YYY&locale=zh&limit=x');
    const messages = (body.error?.errors ?? []).map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages.join()).toContain('`country`中的代码`XX, YYY`不对应任何国家、地区或汇总地区。');
  });

  it.each([
    ['latest_changes', { limit: 0, country: 'Nowhereland', coverage: 'growht', since: 'x' }, 4],
    ['release_calendar', { from: '2026-01-01', to: '2028-01-01', importance: 'x', country: 'Nowhereland' }, 3],
    ['figures', { indicator: 'zzzz qqqq', country: 'Nowhereland', from: '2025', to: '2020', limit: 0 }, 4],
    ['figures', { country: 'Nowhereland', x: 1 }, 3],
    ['quotes', { instrument: 'eurusd', kind: 'fx', from: '2025', to: '2020', asOf: '2999-01-01' }, 3],
    ['country_heat', { country: 'Nowhereland', coverage: 'zzzz', days: 0 }, 3],
    ['company', { country: 'Nowhereland', locale: 'xx' }, 3],
  ])('gets them all from the tool %s too: %j', async (name, args, count) => {
    const { body } = await post(service.url, toolCall(name, args), { key: await service.key() });
    const lines = body.result?.content[0]?.text.split('\n') ?? [];
    expect({ lines, count: lines.filter((line) => line.startsWith('- ')).length }).toEqual({ lines, count });
    expect(lines[0]).toMatch(/^invalid_parameter: /);
  });

  it('gets no result that the same call without its faulty arguments has cached', async () => {
    const key = await service.key();
    const call = (args: Record<string, unknown>) => post(service.url, toolCall('latest_changes', args), { key });
    expect((await call({ country: 'JP' })).body.result?.isError).toBeUndefined();
    expect((await call({ country: 'JP', x: 1 })).body.result?.isError).toBe(true);
  });
});
