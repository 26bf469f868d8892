import { Ajv2020 } from 'ajv/dist/2020.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, MCP, META, modern, post, rpc, toolCall, type RpcReply } from './rpc.js';

interface Found {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
}
interface Fetched {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly metadata: Readonly<Record<string, string>>;
}
interface Listed {
  readonly name: string;
  readonly outputSchema: object;
}

describe('The tools search and fetch', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('tools');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** Sends a message to the endpoint with these tools. */
  async function ask(payload: object, by = key, query = '?tools=search', headers: object = {}) {
    const {
      status,
      headers: received,
      body,
    } = await exchange(service.url, MCP + query, {
      method: 'POST',
      key: by,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      payload: JSON.stringify(payload),
    });
    return { status, headers: received, body } as unknown as RpcReply;
  }
  const search = async (query: string, locale = 'en'): Promise<Found[]> =>
    (await ask(toolCall('search', { query, locale }))).body.result?.structuredContent?.['results'] as Found[];
  const fetched = async (id: string, locale?: string): Promise<Fetched> =>
    (await ask(toolCall('fetch', { id, ...(locale !== undefined && { locale }) }))).body.result
      ?.structuredContent as unknown as Fetched;

  it('are the only ones where the URL asks for them, in both versions, and nowhere else', async () => {
    const young = await ask(rpc('tools/list', { _meta: META }), key, '?tools=search', modern('tools/list'));
    for (const { body } of [await ask(rpc('tools/list')), young]) {
      const { tools } = body.result as unknown as { tools: Listed[] };
      expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
    }
    const { body } = await post(service.url, rpc('tools/list'), { key });
    const names = (body.result as unknown as { tools: Listed[] }).tools.map(({ name }) => name);
    expect(names).not.toContain('search');
    expect((await post(service.url, toolCall('search', { query: 'x' }), { key })).body.error?.code).toBe(-32_602);
    const other = await ask(toolCall('latest_changes'));
    expect(other.body.error?.message).toMatch(/no tool `latest_changes`. Nearest: `search`, `fetch`/);
  });

  it('come with instructions of their own, without prompts and resources', async () => {
    const { body } = await ask(INITIALIZE);
    const { capabilities, instructions } = body.result as unknown as { capabilities: object; instructions: string };
    expect(capabilities).toEqual({ tools: { listChanged: false } });
    expect(instructions).toMatch(/search finds documents[^]*Cite/);
    expect((await ask(rpc('prompts/list'))).body.error?.code).toBe(-32_601);
  });

  it.each([
    ['japan unemployment', 'tidemark://indicators/unemployment-rate?country=JP'],
    ['What is the inflation rate in Germany?', 'tidemark://indicators/cpi-inflation?country=DE'],
    ['日本 失业率', 'tidemark://indicators/unemployment-rate?country=JP'],
    ['unemployment', 'tidemark://indicators/unemployment'],
    ['nordwind holding', 'tidemark://companies/nordwind-holding-ag'],
    ['Japan', 'tidemark://countries/JP'],
  ])('find by “%s” first %s', async (query, id) => {
    expect((await search(query))[0]?.id.startsWith(id)).toBe(true);
  });

  it('find changes too, each with its source', async () => {
    const found = await search('unemployment');
    expect(found.length).toBeLessThanOrEqual(20);
    expect(found.some(({ id }) => id.startsWith('tidemark://changes/chg_'))).toBe(true);
    for (const { title, url, source } of found) {
      expect(title).not.toBe('');
      expect(url).toMatch(/^http/);
      expect(source).not.toBe('');
    }
  });

  it.each(LOCALES)('fetch whatever they find, with sources, licences and link, in %s', async (locale) => {
    const found = [...(await search('unemployment japan', locale)), ...(await search('nordwind', locale))];
    expect(found.length).toBeGreaterThan(4);
    for (const { id, title } of found) {
      const one = await fetched(id);
      expect({ id: one.id, title: one.title !== '' }).toEqual({ id, title: true });
      if (id.includes('/changes/')) expect(one.title).toBe(title);
      expect(one.url).toMatch(/^http/);
      expect(one.metadata['sources']).toMatch(/https?:/);
      // An attribution names some licences itself; the others are named with their page.
      for (const licence of one.metadata['licences']?.split('; ') ?? []) {
        expect(licence).toMatch(/^[^,].*, https?:\S+$/);
        expect(one.text).toContain(licence.replace(/, https?:\S+$/, ''));
      }
      expect(`${one.metadata['sources']} ${one.metadata['licences'] ?? ''}`).toMatch(
        /CC0|CC BY|licen[cs]e|domain|reuse|许可|公有领域|ライセンス|パブリックドメイン/i,
      );
    }
  });

  it('have the text of the tool of the full set, and the same as JSON in the content', async () => {
    const id = 'tidemark://indicators/unemployment?country=JP&from=2015';
    const { body } = await ask(toolCall('fetch', { id, locale: 'ja' }));
    const args = { indicator: 'unemployment', country: 'JP', from: '2015', locale: 'ja' };
    const twin = await post(service.url, toolCall('figures', args), { key });
    const result = body.result?.structuredContent as unknown as Fetched;
    expect(result.text).toBe(twin.body.result?.content[0]?.text);
    expect(JSON.parse(body.result?.content[0]?.text ?? '')).toEqual(result);
    expect(result.metadata).toMatchObject({ newestPeriod: expect.stringMatching(/^\d{4}/) as string });
  });

  it('respond as their output schemas describe', async () => {
    const { tools } = (await ask(rpc('tools/list'))).body.result as unknown as { tools: Listed[] };
    const ajv = new Ajv2020({ strict: false });
    for (const [name, args] of [
      ['search', { query: 'gdp' }],
      ['search', { query: 'nothing-like-it-at-all' }],
      ['fetch', { id: 'tidemark://topics/inflation' }],
      ['fetch', { id: 'tidemark://briefs/latest' }],
    ] as const) {
      const { body } = await ask(toolCall(name, args));
      const validate = ajv.compile(tools.find((tool) => tool.name === name)?.outputSchema ?? {});
      validate(body.result?.structuredContent);
      expect({ name, errors: validate.errors }).toEqual({ name, errors: null });
    }
  });

  it('accept a change by its id or link alone', async () => {
    const id =
      (await search('unemployment'))
        .find((one) => one.id.includes('chg_'))
        ?.id.split('/')
        .at(-1) ?? '';
    const [one, other] = [await fetched(id), await fetched(`${service.url}/changes/${id}?locale=en`)];
    expect(one.text).toContain(id);
    expect(other).toEqual(one);
  });

  it.each([
    ['search', {}, /`query` is missing/],
    ['search', { query: '' }, /`query`/],
    ['search', { qery: 'x' }, /no argument `qery`/],
    ['fetch', {}, /`id` is missing/],
    ['fetch', { id: 'nonsense' }, /no document `nonsense`[^]*tidemark:\/\/topics/],
    ['fetch', { id: 'tidemark://topics/inflaton' }, /`topic`[^]*inflation/],
    ['fetch', { id: 'tidemark://none', locale: 'fr', x: 1 }, /`locale`[^]*`x`[^]*`id`/],
    ['fetch', { locale: 'fr' }, /`id`[^]*`locale`/],
    ['fetch', { id: 'tidemark://indicators/gdp?country=Atlantis', x: 1 }, /`x`[^]*`country`/],
    ['fetch', { id: 'tidemark://changes/chg_unknown', locale: 'zh' }, /^not_found: [^]*chg_unknown/],
    ['fetch', { id: 'tidemark://topics/%' }, /no document/],
  ])('explain what is wrong with %s %j', async (name, args, says) => {
    const { body } = await ask(toolCall(name, args));
    expect(body.result?.isError).toBe(true);
    expect(body.result?.content[0]?.text).toMatch(says);
  });

  it('share the budget of the account, and tell what remains', async () => {
    const pro = await service.key('pro');
    const one = await ask(toolCall('search', { query: 'gdp' }), pro);
    const other = await ask(toolCall('fetch', { id: 'tidemark://briefs/latest' }), pro);
    expect([one, other].map(({ headers }) => headers['x-ratelimit-remaining-day'])).toEqual(['4999', '4998']);
    expect((other.body.result as unknown as { _meta: object })._meta).toMatchObject({
      'tidemark/rateLimit': { day: { remaining: 4_998 } },
    });
  });

  it.each(['?tools=serch', '?tools=', '?tools=search&tools=all', '?tools=__proto__'])(
    'are not what %s asks for',
    async (query) => {
      const { status, body } = await ask(rpc('tools/list'), key, query);
      expect([status, body.error?.code]).toEqual([200, -32_602]);
      expect(body.error?.message).toMatch(/`tools` must be one of all, search/);
    },
  );
});
