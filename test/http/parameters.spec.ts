import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insideOf } from '../support/inside.mjs';
import { anyText, holding, like } from '../support/matchers.js';
import { startTestServer, type Reply, type TestServer } from '../support/server.js';

const CHANGES = '/api/v1/changes';
const GDP = '/api/v1/macro/gdp-growth';

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

/** The parameter errors of a request that gets 400. */
async function faults(path: string) {
  const { status, body } = await service.get(path);
  expect([status, body.error?.code]).toEqual([400, 'invalid_parameter']);
  return body.error?.errors ?? [];
}

describe('A parameter', () => {
  it.each([
    [`${CHANGES}?limit=0`, 'limit'],
    [`${CHANGES}?limit=101`, 'limit'],
    [`${CHANGES}?limit=-1`, 'limit'],
    [`${CHANGES}?limit=1.5`, 'limit'],
    [`${CHANGES}?limit=1e2`, 'limit'],
    [`${CHANGES}?limit=+5`, 'limit'],
    [`${CHANGES}?limit=${'9'.repeat(30)}`, 'limit'],
    [`${CHANGES}?limit=%EF%BC%95`, 'limit'],
    [`${CHANGES}?since=2026-02-30`, 'since'],
    [`${CHANGES}?since=2026-2-3`, 'since'],
    [`${CHANGES}?since=20260203`, 'since'],
    [`${CHANGES}?since=2026-02-03T10:00`, 'since'],
    [`${CHANGES}?since=2026-02-03T25:00:00Z`, 'since'],
    [`${CHANGES}?until=tomorrow`, 'until'],
    [`${CHANGES}?publishedSince=0`, 'publishedSince'],
    [`${CHANGES}?country=J`, 'country'],
    [`${CHANGES}?country=JAPAN`, 'country'],
    [`${CHANGES}?country=J%27`, 'country'],
    [`${CHANGES}?coverage=Growth`, 'coverage'],
    [`${CHANGES}?topic=a%20b`, 'topic'],
    [`${GDP}?asOf=2026-13-01`, 'asOf'],
    [`${GDP}?asOf=2026`, 'asOf'],
    [`${GDP}?asOf=2026-01-01T00:00:00Z`, 'asOf'],
    [`${GDP}?from=2025-13`, 'from'],
    [`${GDP}?from=2025-Q5`, 'from'],
    [`${GDP}?to=99999`, 'to'],
    [`${GDP}?region=JAPN`, 'region'],
  ])('is refused by name if it is out of bounds or malformed: %s', async (path, parameter) => {
    const [fault, ...more] = await faults(path);
    expect(more).toEqual([]);
    expect(fault).toEqual(like({ parameter, message: holding(`\`${parameter}\``) }));
  });

  it.each(['limit', 'cursor', 'locale', 'country', 'kind', 'since', 'topic', 'publishedSince'])(
    'is refused if it is empty, with or without an equals sign: %s',
    async (parameter) => {
      const empty = [{ parameter, message: `\`${parameter}\` is empty: leave it out, or give it a value.` }].map(
        (fault) => like(fault),
      );
      expect(await faults(`${CHANGES}?${parameter}=`)).toEqual(empty);
      expect(await faults(`${CHANGES}?${parameter}`)).toEqual(empty);
    },
  );

  it.each(['limit=1&limit=1', 'locale=en&locale=en', 'country=JP&country=US', 'kind=move&kind='])(
    'is refused if it is repeated: %s',
    async (query) => {
      const [fault] = await faults(`${CHANGES}?${query}`);
      expect(fault?.message).toMatch(/is given more than once/);
    },
  );

  it.each(['country=%', 'country=%zz', 'country=%ff', 'country=J%00', 'cursor=%c0%80', 'since=%ed%a0%80'])(
    'is refused with bad percent-encoding, invalid UTF-8 or a NUL: %s',
    async (query) => {
      const [fault] = await faults(`${CHANGES}?${query}`);
      expect(fault?.message).toMatch(/is not text/);
    },
  );

  it('is refused with its bound if it is too long', async () => {
    const [fault] = await faults(`${CHANGES}?cursor=${'a'.repeat(201)}`);
    expect(fault).toEqual({ parameter: 'cursor', message: '`cursor` must have at most 200 characters.' });
  });

  it.each([
    [`${CHANGES}?country=Japan`, 'country', ['JP']],
    [`${GDP}?region=${encodeURIComponent('日本')}`, 'region', ['JP']],
    [`${CHANGES}?locale=fr`, 'locale', ['en', 'zh', 'ja']],
    [`${CHANGES}?locale=EN`, 'locale', ['en', 'zh', 'ja']],
    [`${CHANGES}?kind=releases`, 'kind', ['release', 'revision', 'move', 'decision', 'structure']],
    [`${CHANGES}?status=Verified`, 'status', ['verified', 'corrected', 'withdrawn']],
  ])('is refused with all allowed values outside its closed set: %s', async (path, parameter, allowed) => {
    expect(await faults(path)).toEqual([{ parameter, message: anyText, allowed }]);
  });

  it.each([
    [`${CHANGES}?topic=inflatoin`, 'topic', 'inflation'],
    [`${CHANGES}?coverage=groth`, 'coverage', 'growth'],
    [`${CHANGES}?country=XJ`, 'country', 'JP'],
    [`${GDP}?region=WLX`, 'region', 'WLD'],
  ])('is refused with the nearest rows if it names none: %s', async (path, parameter, nearest) => {
    const [fault] = await faults(path);
    expect(fault?.parameter).toBe(parameter);
    expect(fault?.allowed?.length).toBeLessThanOrEqual(5);
    if (parameter === 'country') expect(fault?.allowed?.join()).toMatch(/J/);
    else expect(fault?.allowed).toContain(nearest);
  });

  it.each([
    [`${CHANGES}?contry=JP`, 'contry', 'country'],
    [`${CHANGES}?published_since=2026-01-01`, 'published_since', 'publishedSince'],
    [`${GDP}?regoin=JP`, 'regoin', 'region'],
    ['/api/v1/topics/gdp?limt=1', 'limt', 'limit'],
    ['/api/v1/topics?local=en', 'local', 'locale'],
    // What other services, and other routes, call it.
    [`${GDP}?country=JP`, 'country', 'region'],
    [`${CHANGES}?page=2`, 'page', 'cursor'],
  ])('is refused with the nearest names if the route does not know it: %s', async (path, sent, nearest) => {
    const [fault] = await faults(path);
    expect(fault?.parameter).toBe(sent);
    expect(fault?.allowed).toContain(nearest);
  });

  it.each([
    ['/api/v1/coverage', 'limit'],
    ['/api/v1/topics', 'cursor'],
    ['/api/v1/macro/board', 'region'],
    ['/api/v1/changes/chg_none', 'country'],
    ['/api/v1/coverage/growth', 'topic'],
    [CHANGES, '__proto__'],
    [CHANGES, 'constructor'],
    [CHANGES, 'toString'],
    [CHANGES, 'valueOf'],
    [CHANGES, 'hasOwnProperty'],
    ['/api/v1/markets', 'key'],
    [CHANGES, 'limit[]'],
    [CHANGES, 'Limit'],
    [CHANGES, '%ff'],
    [CHANGES, '%E9%99%90'],
  ])('is unknown on a route that does not have it: %s %s', async (path, parameter) => {
    const [fault] = await faults(`${path}?${parameter}=1`);
    expect(fault?.message).toMatch(/The route has no parameter/);
  });

  it('is named with every other mistake of the request, one entry each', async () => {
    const found = await faults(`${CHANGES}?limit=0&kind=x&country=&nothing=1&locale=ja&locale=ja`);
    expect(found.map(({ parameter }) => parameter).sort()).toEqual(
      ['country', 'kind', 'limit', 'locale', 'nothing'].sort(),
    );
  });

  it('is explained in the language of the request', async () => {
    const messages = await Promise.all(
      ['en', 'zh', 'ja'].map(async (locale) => (await faults(`${CHANGES}?limit=0&locale=${locale}`))[0]),
    );
    expect(messages.map((fault) => fault?.message)).toEqual([
      '`limit` must be a whole number from 1 to 100.',
      '`limit`须为1至100的整数。',
      '`limit`は1～100の整数で指定してください。',
    ]);
  });

  it.each([
    `${CHANGES}?since=2026-05-02&until=2026-05-01`,
    `${CHANGES}?since=2026-05-01T10:00:00Z&until=2026-05-01T09:59:59Z`,
    `${CHANGES}?since=2026-05-02T00:00:00Z&until=2026-05-01`,
    `${GDP}?from=2025&to=2024`,
    `${GDP}?from=2025-Q2&to=2025-Q1`,
  ])('is refused if it begins a span after its end: %s', async (path) => {
    const [fault] = await faults(path);
    expect(fault?.message).toMatch(/lies after/);
  });

  it.each([
    `${CHANGES}?since=2026-05-01&until=2026-05-01`,
    `${CHANGES}?since=2026-05-01T12:00:00Z&until=2026-05-01`,
    `${CHANGES}?since=2026-05-01T12:00:00%2B09:00`,
    `${CHANGES}?limit=1`,
    `${CHANGES}?limit=100`,
    `${CHANGES}?locale=zh&`,
    `${CHANGES}?country=emu`,
    `${GDP}?from=2025&to=2025`,
    `${GDP}?from=2025-Q1&to=2025`,
  ])('is accepted at its bound: %s', async (path) => {
    expect((await service.get(path)).status).toBe(200);
  });
});

describe('A response', () => {
  it.each([
    `${CHANGES}?country=';DROP TABLE changes;--`,
    `${CHANGES}?topic=%27%20OR%201=1`,
    `${CHANGES}?cursor=%27%3B--`,
    `${CHANGES}/chg_'`,
    `${GDP}?from=1500&to=2499`,
    `${GDP}?asOf=0001-01-01`,
    `${GDP}?asOf=0000-01-01`,
    `${CHANGES}?since=0001-01-01&until=9999-12-31`,
    `${CHANGES}?since=0000-01-01`,
    `${CHANGES}?until=9999-12-31T23:59:59.999-23:59`,
    `${CHANGES}?since=9999-12-31T23:59:59-14:00`,
    `${CHANGES}?publishedSince=0000-01-01`,
  ])('reveals nothing internal: %s', async (path) => {
    const { status, text }: Reply = await service.get(path);
    expect(status).toBeLessThan(500);
    expect(insideOf(text, path)).toBeNull();
  });
});
