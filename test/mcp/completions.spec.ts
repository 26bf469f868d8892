import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { META, modern, post, rpc } from './rpc.js';

interface Completed {
  readonly values: readonly string[];
  readonly total: number;
  readonly hasMore: boolean;
}

const TOPIC = { type: 'ref/resource', uri: 'tidemark://topics/{topic}{?locale}' };
const COUNTRY = { type: 'ref/resource', uri: 'tidemark://countries/{country}{?locale}' };
const INDICATOR = { type: 'ref/resource', uri: 'tidemark://indicators/{indicator}{?country,locale}' };
const REPORT = { type: 'ref/prompt', name: 'country_report' };

describe('A completion', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;
  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (ref: unknown, name: unknown, value: unknown, given?: object) =>
    post(
      service.url,
      rpc('completion/complete', { ref, argument: { name, value }, ...(given && { context: { arguments: given } }) }),
      { key },
    );
  const complete = async (...asked: Parameters<typeof ask>): Promise<Completed> =>
    (await ask(...asked)).body.result?.['completion'] as Completed;

  it.each([
    [TOPIC, 'topic', 'infl', ['inflation']],
    [TOPIC, 'topic', '通', ['inflation']],
    [COUNTRY, 'country', 'jap', ['JP']],
    [COUNTRY, 'country', 'JP', ['JP']],
    [COUNTRY, 'country', '日', ['JP']],
    [INDICATOR, 'indicator', 'unemp', ['unemployment-rate']],
    [INDICATOR, 'indicator', '失业', ['unemployment-rate']],
    [INDICATOR, 'country', 'ger', ['DE']],
    [INDICATOR, 'locale', 'z', ['zh']],
    [REPORT, 'country', 'jap', ['Japan']],
    [REPORT, 'locale', '', ['en', 'zh', 'ja']],
    [TOPIC, 'topic', 'nothing-like-it', []],
  ])('of %j %s “%s” begins with %j', async (ref, name, value, values) => {
    const found = await complete(ref, name, value);
    expect(found.values.slice(0, values.length)).toEqual(values);
    expect(found).toMatchObject({ total: found.values.length, hasMore: false });
  });

  it('lists everything for no text, what people watch first', async () => {
    const [topics, countries, indicators] = await Promise.all([
      complete(TOPIC, 'topic', ''),
      complete(COUNTRY, 'country', ''),
      complete(INDICATOR, 'indicator', ''),
    ]);
    expect(topics.values).toContain('inflation');
    expect(countries.values.slice(0, 5)).toContain('US');
    expect(indicators.values).toContain('gdp-growth');
    for (const one of [topics, countries, indicators]) expect(one.values.length).toBeLessThanOrEqual(100);
  });

  it('is in the language of the other arguments for a prompt', async () => {
    const { values } = await complete(REPORT, 'country', 'Germ', { locale: 'ja' });
    expect(values[0]).toBe('ドイツ');
  });

  it('is accepted by what it completes', async () => {
    const { values } = await complete(REPORT, 'country', '');
    for (const country of values.slice(0, 10)) {
      const got = await post(service.url, rpc('prompts/get', { name: 'country_report', arguments: { country } }), {
        key,
      });
      expect({ country, error: got.body.error?.message }).toEqual({ country, error: undefined });
    }
  });

  it('is the same as of 2026-07-28', async () => {
    const params = { ref: COUNTRY, argument: { name: 'country', value: 'jap' }, _meta: META };
    const { body } = await post(service.url, rpc('completion/complete', params), {
      key,
      headers: modern('completion/complete'),
    });
    expect((body.result?.['completion'] as Completed).values).toEqual(['JP']);
  });

  it.each([
    [{ type: 'ref/prompt', name: 'contry_report' }, 'country', 'a', /no prompt `contry_report`[^]*country_report/],
    [{ type: 'ref/resource', uri: 'tidemark://x/{y}' }, 'y', 'a', /no document[^]*topics/],
    [{ type: 'ref/tool', name: 'figures' }, 'country', 'a', /`ref.type` must be one of ref\/prompt/],
    [COUNTRY, 'contry', 'a', /`contry`[^]*`country`, `locale`/],
    [REPORT, '__proto__', 'a', /`__proto__`/],
    [REPORT, 'country', 5, /`argument.value` must be a string/],
    [REPORT, ['country'], 'a', /`argument.name` must be a string/],
    ['country_report', 'country', 'a', /`ref` must be an object/],
  ])('of %j %j %j is refused with -32602 and what exists', async (ref, name, value, says) => {
    const { status, body } = await ask(ref, name, value);
    expect([status, body.error?.code]).toEqual([200, -32_602]);
    expect(body.error?.message).toMatch(says);
  });

  it('finds nothing by hostile texts, and costs none of the plan’s requests', async () => {
    const free = await service.key('free');
    for (const value of HOSTILE_TEXTS.slice(0, 40)) {
      const params = { ref: COUNTRY, argument: { name: 'country', value } };
      const { status, headers, body } = await post(service.url, rpc('completion/complete', params), { key: free });
      expect([status, body.error]).toEqual([200, undefined]);
      expect(headers['x-ratelimit-remaining-day']).toBe('400');
    }
    expect(service.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });
});
