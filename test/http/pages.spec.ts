// runs: on two instances
import { LOCALES } from '../../src/domain/locale/locale.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { unescaped } from '../support/html.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
/** A page with everything that it loads. */
const MOST_BYTES = 60_000;

/** Each kind of page: its URL, and the API request with the same content. */
interface Asked {
  readonly page: string;
  readonly api: string;
}

interface Shown {
  readonly headline?: string;
  readonly summary?: string;
  readonly title?: string;
  readonly name?: string;
}

describe('The public pages', () => {
  let database: TestDatabase;
  let service: TestServer;
  let asked: Asked[];
  let visitors = 0;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    await publishRegister(database);
    // The suite opens more pages than a reader does in a minute.
    const environment = { TRUSTED_PROXIES: '127.0.0.1', PAGES_PER_MINUTE: '600' };
    service = await startTestServer({ database, environment });
    asked = await everyKind();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** Each visitor has an address of their own. */
  const open = (path: string, headers: Record<string, string> = {}) => {
    visitors += 1;
    const from = `198.51.${String(Math.floor(visitors / 250))}.${String(visitors % 250)}`;
    return exchange(service.url, path, { headers: { accept: HTML, 'x-forwarded-for': from, ...headers } });
  };

  const first = async (path: string): Promise<string> =>
    (await service.get<{ id: string }[]>(path)).body.data[0]?.id ?? '';

  async function everyKind(): Promise<Asked[]> {
    const kinds = ['release', 'revision', 'move', 'decision'];
    const changes = await Promise.all(kinds.map((kind) => first(`/api/v1/changes?kind=${kind}&limit=1`)));
    const signals = await service.get<{ id: string }[]>('/api/v1/search?q=in&type=signal&limit=1');
    const brief = await service.get<{ date: string }>('/api/v1/briefs/latest');
    const companies = await service.get<{ slug: string }[]>('/api/v1/companies?q=nordwind&limit=1');
    const company = companies.body.data[0]?.slug ?? '';
    const event = await first('/api/v1/ahead?from=2026-01-01&to=2026-12-31&limit=1');
    const named = [
      ...changes.map((id) => ({ page: `/changes/${id}`, api: `/api/v1/changes/${id}` })),
      ...signals.body.data.map(({ id }) => ({ page: `/signals/${id}`, api: `/api/v1/signals/${id}` })),
      { page: `/companies/${company}`, api: `/api/v1/companies/${company}` },
      { page: '/markets/eurusd', api: '/api/v1/markets/eurusd' },
      { page: '/macro/gdp-growth/JP', api: '/api/v1/macro/gdp-growth?region=JP' },
      { page: `/briefs/${brief.body.data.date}`, api: `/api/v1/briefs/${brief.body.data.date}` },
      { page: '/briefs/latest', api: '/api/v1/briefs/latest' },
      { page: `/calendar/${event}`, api: `/api/v1/ahead/${event}` },
    ];
    expect(named.filter(({ page }) => page.endsWith('/'))).toEqual([]);
    return named;
  }

  it.each(LOCALES)('show in %s the content of the API, with every source and notice', async (locale) => {
    for (const { page, api } of asked) {
      const { status, headers, bytes } = await open(`${page}?locale=${locale}`);
      const answer = await service.get<Shown>(`${api}${api.includes('?') ? '&' : '?'}locale=${locale}`);
      expect({ page, status }).toEqual({ page, status: 200 });
      expect(headers).toMatchObject({ 'content-language': locale, 'cache-control': 'public, max-age=30' });
      const html = unescaped(bytes.toString());
      const { data, meta } = answer.body;
      const texts = [data.headline, data.summary, data.title, data.name].filter((text) => text !== undefined);
      const demanded = meta.sources.flatMap(({ attribution, series }) => [
        attribution,
        ...series.map(({ url }) => url),
      ]);
      for (const text of [...texts, ...demanded, ...meta.notices]) {
        expect({ page, shown: html.includes(text), text }).toEqual({ page, shown: true, text });
      }
      expect(bytes.length).toBeLessThan(MOST_BYTES);
    }
  });

  it('describe themselves by canonical address, other languages, and a Dataset', async () => {
    for (const { page } of asked.filter(({ page: path }) => path !== '/briefs/latest')) {
      const html = unescaped((await open(`${page}?locale=ja`)).bytes.toString());
      expect(html).toContain(`<link rel="canonical" href="${service.url}${page}?locale=ja">`);
      for (const lang of ['en', 'zh-Hans', 'ja', 'x-default']) expect(html).toContain(`hreflang="${lang}"`);
      const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
      const dataset = JSON.parse(json) as Record<string, unknown>;
      expect(dataset).toMatchObject({ '@type': 'Dataset', inLanguage: 'ja' });
      expect(dataset['license']).not.toEqual([]);
    }
  });

  it('are cached: the same page again has the same ETag, and is not sent twice', async () => {
    const [{ page } = { page: '' }] = asked;
    const one = await open(page);
    const again = await open(page, { 'if-none-match': one.headers.etag ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('are the redirect target of a browser without a key at an API address', async () => {
    for (const { page, api } of asked) {
      const sent = await open(`${api}${api.includes('?') ? '&' : '?'}locale=zh`);
      expect({ api, status: sent.status, to: sent.headers.location }).toEqual({
        api,
        status: 303,
        to: `${service.url}${page}?locale=zh`,
      });
    }
  });

  it('are never sent to a program, for a wrong key, or for content without a page', async () => {
    const [{ api } = { api: '' }] = asked;
    expect((await open(api, { accept: '*/*' })).status).toBe(401);
    expect((await open(api, { authorization: 'Bearer wrong' })).status).toBe(401);
    const without = [
      '/api/v1/following',
      '/api/v1/entities/ent_none/structure',
      '/api/v1/macro/gdp-growth?region=//evil.example',
    ];
    for (const path of without) expect((await open(path)).status).toBe(401);
  });

  it('depend on nothing of a request but its address and language', async () => {
    const [{ page } = { page: '' }] = asked;
    const plain = await open(page);
    const other = await open(`${page}?utm_source=x`, { host: 'evil.example', cookie: 'a=b' });
    expect(other.bytes.equals(plain.bytes)).toBe(true);
    expect(other.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    '/changes/chg_nothing',
    '/signals/sig_nothing',
    '/markets/nothing',
    '/companies/nothing',
    '/companies/%3Cb%3E',
    '/macro/nothing/JP',
    '/macro/gdp-growth/XX',
    '/macro/gdp-growth/%3Cb%3E',
    '/companies/%ff',
    '/briefs/2001-01-01',
    '/calendar/evt_nothing',
    '/changes/chg_nothing/receipt.json',
  ])('respond with 404 to %s', async (path) => {
    const { status, headers } = await open(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it.each(['/macro/gdp-growth/%00', '/markets/%00'])('respond with 404 to an unreadable path: %s', async (path) => {
    const { status, headers } = await open(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('show the calendar around a day, with links to its neighbours', async () => {
    const { status, bytes } = await open('/calendar?day=2026-07-01&locale=zh');
    expect(status).toBe(200);
    expect(bytes.toString()).toContain('2026年6月24日');
    expect((await open('/calendar?day=nothing')).status).toBe(200);
  });

  it.each([
    ['/markets/eurusd', '/api/v1/markets/eurusd?asOf=2026-06-30', '2026-06-30'],
    ['/macro/gdp-growth/JP', '/api/v1/macro/gdp-growth?region=JP&asOf=2026-06-30', '2026-06-30'],
  ])('show at %s what was known on a day, which search engines do not list', async (page, api, day) => {
    const { body } = await service.get<{ page?: string; series?: { page: string }[] }>(api);
    const link = body.data.series?.[0]?.page ?? body.data.page;
    expect(link).toBe(`${service.url}${page}?asOf=${day}&locale=en`);
    const { status, bytes } = await open(`${page}?asOf=${day}&locale=en`);
    expect([status, bytes.toString().includes('As known on 30 June 2026.')]).toEqual([200, true]);
    expect(bytes.toString()).toContain('noindex');
    expect((await open(`${page}?asOf=soon`)).bytes.toString()).not.toMatch(/As known on \d/);
  });

  describe('The receipt on a public page', () => {
    interface Receipt {
      readonly rule: { readonly name: string; readonly statement: string };
      readonly inputs: readonly {
        readonly role: string;
        readonly period: string;
        readonly value: number;
        readonly knownSince: string;
        readonly source: string;
      }[];
      readonly results: { readonly delta: number | null };
    }
    const receiptOf = async (page: string) =>
      JSON.parse((await open(`${page}/receipt.json`)).bytes.toString()) as Body<Receipt>;

    it('contains both figures that a change compares, which explain the difference', async () => {
      for (const { page, api } of asked.filter(({ page: path }) => path.startsWith('/changes/'))) {
        const { data, meta } = await receiptOf(page);
        const answer = await service.get<{
          kind: string;
          figure: { actual: { value: number }; previous: { value: number | null }; delta: number | null };
        }>(api);
        const { figure, kind } = answer.body.data;
        const valueOf = (role: string) => data.inputs.find((input) => input.role === role)?.value ?? null;
        expect({ kind, rule: data.rule.name, actual: valueOf('actual'), previous: valueOf('previous') }).toEqual({
          kind,
          rule: kind,
          actual: figure.actual.value,
          previous: figure.previous.value,
        });
        if (figure.delta !== null) {
          expect(figure.actual.value - (figure.previous.value ?? 0)).toBeCloseTo(figure.delta, 8);
          expect(data.results.delta).toBe(figure.delta);
        }
        for (const { source } of data.inputs) expect(meta.sources.map(({ id }) => id)).toContain(source);
      }
    });

    it('contains the prices of a move, with which a reader can verify its rule', async () => {
      const id = await first('/api/v1/changes?kind=move&limit=1');
      const { data } = await receiptOf(`/changes/${id}`);
      const values = data.inputs.map(({ value }) => value);
      const steps = values.slice(1).map((value, at) => Math.abs(value / (values[at] ?? 1) - 1));
      const [last = 0, ...before] = steps.toReversed();
      const sorted = before.toSorted((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 1;
      expect(before.length).toBeGreaterThanOrEqual(60);
      expect(last / median).toBeGreaterThan(4.5);
    });
  });

  it('show nothing of a withheld source: its pages are 404, and no page names it', async () => {
    const market = '/markets/eurusd';
    expect((await open(market)).status).toBe(200);
    await withholdSource(await database.open('import'), 'ecb', () => new Date('2026-11-20T12:00:00Z'));
    await service.server.app.get(Heartbeat).poll();
    expect((await open(market)).status).toBe(404);
    for (const { page } of asked) {
      const { bytes } = await open(page);
      expect({ page, named: bytes.toString().includes('European Central Bank') }).toEqual({ page, named: false });
    }
  });
});

describe('A public page that is switched off', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, environment: { PUBLIC_PAGES: 'off' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each(['/markets/eurusd', '/calendar', '/briefs/latest'])('responds with 404: %s', async (path) => {
    expect((await exchange(service.url, path, { headers: { accept: HTML } })).status).toBe(404);
  });

  it('are linked from no item', async () => {
    const paths = ['changes', 'companies', 'markets', 'briefs/latest', 'macro/gdp-growth?region=JP'];
    for (const path of paths) {
      const { status, text } = await service.get(`/api/v1/${path}`);
      expect([path, status, text.includes('"page":"http')]).toEqual([path, 200, false]);
    }
  });
});
