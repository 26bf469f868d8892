import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { META, modern, post, rpc, toolCall } from './rpc.js';

interface Read {
  readonly contents: readonly { readonly uri: string; readonly mimeType: string; readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe('A document', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;
  let change = '';
  const clock = new StoppedClock('2026-11-21T10:00:00Z');

  beforeAll(async () => {
    database = await createTestDatabase('tools');
    service = await startTestServer({ database, clock });
    key = await service.key();
    change = (await service.get<{ id: string }[]>('/api/v1/changes?limit=1')).body.data[0]?.id ?? '';
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (uri: unknown, by = key) => post(service.url, rpc('resources/read', { uri }), { key: by });
  const young = (method: string, params: object, name?: string) =>
    post(service.url, rpc(method, { ...params, _meta: META }), {
      key,
      headers: { ...modern(method), ...(name !== undefined && { 'mcp-name': name }) },
    });

  it('is listed with its templates, in both versions of the protocol', async () => {
    for (const [method, member, uris] of [
      ['resources/list', 'resources', ['tidemark://briefs/latest']],
      [
        'resources/templates/list',
        'resourceTemplates',
        [
          'tidemark://topics/{topic}{?locale}',
          'tidemark://countries/{country}{?locale}',
          'tidemark://indicators/{indicator}{?country,locale}',
        ],
      ],
    ] as const) {
      const replies = [await post(service.url, rpc(method), { key }), await young(method, {})];
      for (const { body } of replies) {
        const listed = body.result?.[member] as { uri?: string; uriTemplate?: string; title: string }[];
        expect(listed.map((one) => one.uri ?? one.uriTemplate)).toEqual(uris);
        expect(listed.every(({ title }) => title !== '')).toBe(true);
      }
      expect(replies[1]?.body.result).toMatchObject({ ttlMs: 3_600_000 });
    }
  });

  it.each([
    ['tidemark://briefs/latest', 'latest_brief', {}],
    ['tidemark://briefs/latest?locale=zh', 'latest_brief', { locale: 'zh' }],
    ['tidemark://topics/inflation', 'latest_changes', { topic: 'inflation' }],
    ['tidemark://countries/JP?locale=ja', 'latest_changes', { country: 'JP', locale: 'ja' }],
    ['tidemark://countries/%E6%97%A5%E6%9C%AC', 'latest_changes', { country: '日本' }],
    ['tidemark://indicators/gdp-growth', 'figures', { indicator: 'gdp-growth' }],
    [
      'tidemark://indicators/unemployment?country=JP%2CDE&from=2020',
      'figures',
      { indicator: 'unemployment', country: 'JP,DE', from: '2020' },
    ],
    ['tidemark://companies/nordwind-holding-ag', 'company', { slug: 'nordwind-holding-ag' }],
  ])('has the text of the tool that its URI stands for: %s', async (uri, tool, args) => {
    const { content } = (await post(service.url, toolCall(tool, args), { key })).body.result ?? {};
    const { contents } = (await ask(uri)).body.result as unknown as Read;
    expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: content?.[0]?.text }]);
    const again = (await young('resources/read', { uri }, uri)).body.result as unknown as Read;
    expect(again.contents).toEqual(contents);
  });

  it('is also a change by its id', async () => {
    const { contents } = (await ask(`tidemark://changes/${change}`)).body.result as unknown as Read;
    expect(contents[0]?.text).toContain(change);
  });

  it('costs one request, like the tool call, and tells what remains', async () => {
    const pro = await service.key('pro');
    const { headers, body } = await ask('tidemark://briefs/latest', pro);
    expect(headers['x-ratelimit-remaining-day']).toBe('4999');
    expect((body.result as unknown as Read)._meta).toMatchObject({
      'tidemark/rateLimit': { day: { remaining: 4_999 } },
    });
    const failed = await ask('tidemark://nothing/here', pro);
    const call = await post(service.url, toolCall('latest_brief'), { key: pro });
    expect([failed, call].map((one) => one.headers['x-ratelimit-remaining-day'])).toEqual(['4998', '4997']);
  });

  it('is refused above the limit with 429, while its lists are free', async () => {
    const free = await service.key('free');
    expect((await ask('tidemark://topics/inflation', free)).status).toBe(200);
    const { status, body } = await ask('tidemark://topics/inflation?locale=zh', free);
    expect([status, body.error?.data?.code]).toEqual([429, 'minute_limit_exceeded']);
    expect(body.error?.message).toMatch(/秒后重试/);
    expect((await post(service.url, rpc('resources/list'), { key: free })).status).toBe(200);
  });

  it.each([
    ['tidemark://topics/inflaton', 'invalid_parameter', /`topic`[^]*inflation/],
    ['tidemark://countries/Atlantis', 'invalid_parameter', /`country`/],
    ['tidemark://indicators/unemployement-rat', 'invalid_parameter', /`indicator`[^]*unemployment/],
    ['tidemark://companies/no-such-company', 'not_found', /`slug`/],
    ['tidemark://changes/chg_unknown', 'not_found', /chg_unknown/],
    ['tidemark://topics/inflation?locale=fr', 'invalid_parameter', /`locale`[^]*en, zh, ja/],
    ['tidemark://topics/inflation?days=7', 'invalid_parameter', /no argument `days`/],
    ['tidemark://topics', 'invalid_parameter', /no document `tidemark:\/\/topics`[^]*tidemark:\/\/topics\/\{topic\}/],
    ['tidemark://constructor/x', 'invalid_parameter', /no document/],
    ['tidemark://topics/%E0%A4%A', 'invalid_parameter', /no document/],
    ['tidemark://topics/inflation?a=%', 'invalid_parameter', /no document/],
    ['tidemark://topics/a/b', 'invalid_parameter', /no document/],
    ['tidemark://briefs/2026-07-01', 'invalid_parameter', /no document/],
    ['file:///etc/passwd', 'invalid_parameter', /no document/],
    [`tidemark://topics/${'x'.repeat(5_000)}`, 'invalid_parameter', /no document/],
    ['', 'invalid_parameter', /no document/],
    [5, 'invalid_parameter', /`uri` must be a string/],
    [null, 'invalid_parameter', /`uri` must be a string/],
  ])('is refused with -32602 and the nearest: %s', async (uri, code, says) => {
    const old = await ask(uri);
    expect([old.status, old.body.error?.code, old.body.error?.data?.code]).toEqual([200, -32_602, code]);
    expect(old.body.error?.message).toMatch(says);
    if (typeof uri !== 'string' || uri === '') return;
    const { body } = await young('resources/read', { uri }, uri);
    expect([body.error?.code, body.error?.message]).toEqual([-32_602, old.body.error?.message]);
  });

  it('causes no warning and no error in the log', () => {
    expect(service.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });
});
