import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Change {
  readonly id: string;
  readonly headline: string;
  readonly kind: string;
  readonly countries: readonly string[];
  readonly subject: { readonly key: string };
  readonly occurredAt: string;
}

let database: TestDatabase;
let service: TestServer;
let all: Change[];

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  all = await walk<Change>(service, '/api/v1/changes?limit=100');
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const found = (q: string, rest = '') =>
  walk<Change>(service, `/api/v1/changes?limit=100&q=${encodeURIComponent(q)}${rest}`);
const ids = (changes: readonly Change[]): string[] => changes.map(({ id }) => id);
const of = (indicator: string) => (change: Change) => change.subject.key.startsWith(`${indicator}@`);
const within = (region: string) => (change: Change) => change.countries.includes(region);

describe('GET /api/v1/changes?q=', () => {
  it.each(['USD/JPY', 'ドル円'])(
    'has for %s the changes of its two rates against the euro, with a notice',
    async (q) => {
      const full = await createTestDatabase('full');
      const other = await startTestServer({ database: full });
      const query = `/api/v1/changes?limit=100&q=${encodeURIComponent(q)}`;
      const { body } = await other.get<Change[]>(query);
      expect(body.data.length).toBeGreaterThan(0);
      for (const { subject } of body.data) expect(['eurusd', 'eurjpy']).toContain(subject.key);
      expect(body.meta.notices.join(' ')).toContain('Changes are recorded of rates against the euro alone');
      await other.close();
      await full.drop();
    },
  );

  it.each([
    ['失业', 'unemployment-rate'],
    ['失業率', 'unemployment-rate'],
    ['ＵＮＥＭＰＬＯＹＭＥＮＴ', 'unemployment-rate'],
    ['unemploymnet', 'unemployment-rate'],
    ['物价', 'cpi-inflation'],
    ['物価', 'cpi-inflation'],
    ['通胀', 'cpi-inflation'],
    ['cpi', 'cpi-inflation'],
    ['消費者物価', 'cpi-inflation'],
  ])('finds by %s the changes of %s, in their order', async (q, indicator) => {
    const wanted = ids(all.filter(of(indicator)));
    expect(wanted.length).toBeGreaterThan(0);
    expect(ids(await found(q))).toEqual(wanted);
  });

  it.each([
    ['japan', 'JP'],
    ['日本', 'JP'],
    ['DEU', 'DE'],
    ['ナイジェリア', 'NG'],
    ['尼日利亞', 'NG'],
    ['Germny', 'DE'],
  ])('finds by %s the changes of %s', async (q, region) => {
    expect(ids(await found(q))).toEqual(ids(all.filter(within(region))));
  });

  it.each(['japan inflation', '日本の物価', '日本通胀', 'インフレ 日本'])(
    'requires all words, also if the query joins them: %s',
    async (q) => {
      const wanted = all.filter(of('cpi-inflation')).filter(within('JP'));
      expect(wanted.length).toBeGreaterThan(0);
      expect(ids(await found(q))).toEqual(ids(wanted));
    },
  );

  const about = (region: string, indicator: string) => all.filter(within(region)).filter(of(indicator));

  it.each([
    ['How high is unemployment in Japan?', 'JP', 'unemployment-rate'],
    ['What did the World Bank publish lately about inflation in Germany?', 'DE', 'cpi-inflation'],
    ['最近日本的失业率怎么样？', 'JP', 'unemployment-rate'],
    ['日本の直近の失業率を教えてください', 'JP', 'unemployment-rate'],
  ])('finds what a sentence names: %s', async (q, region, indicator) => {
    const wanted = ids(about(region, indicator));
    expect(wanted.length).toBeGreaterThan(0);
    expect(ids(await found(q))).toEqual(wanted);
  });

  it('says that a sentence was not found word for word, and what was', async () => {
    const q = encodeURIComponent('Why would unemployment in Japan worry a xylophonist?');
    const { body } = await service.get<Change[]>(`/api/v1/changes?limit=1&q=${q}`);
    expect(body.data).toHaveLength(1);
    expect(body.meta.notices[0]).toMatch(/^No change has all of these words\. Shown are .*Japan/);
  });

  it.each(['unemployment revised', 'unemployment revisions', '失业率 修订', '失業率 改定'])(
    'finds every revision, in whatever words its headline states it: %s',
    async (q) => {
      const wanted = all.filter(of('unemployment-rate')).filter(({ kind }) => kind === 'revision');
      expect(wanted.some(({ headline }) => headline.includes('restated'))).toBe(true);
      expect(wanted.some(({ headline }) => headline.includes('revised'))).toBe(true);
      expect(ids(await found(q))).toEqual(ids(wanted));
    },
  );

  it.each(['was japan unemployment revised', '日本の失業率は改定されましたか', '日本失业率有没有修正'])(
    'finds revisions only, if a sentence asks for them: %s',
    async (q) => {
      const wanted = about('JP', 'unemployment-rate').filter(({ kind }) => kind === 'revision');
      expect(wanted.length).toBeGreaterThan(0);
      expect(ids(await found(q))).toEqual(ids(wanted));
    },
  );

  it('finds words of the headline in any language', async () => {
    for (const { id } of all.slice(0, 5)) {
      for (const locale of ['en', 'zh', 'ja']) {
        const { body } = await service.get<Change>(`/api/v1/changes/${id}?locale=${locale}`);
        expect(ids(await found(body.data.headline.slice(0, 200)))).toContain(id);
      }
    }
  });

  it.each([
    ['&country=JP', within('JP')],
    ['&kind=release', (change: Change) => change.kind === 'release'],
    ['&topic=unemployment', of('unemployment-rate')],
    ['&coverage=labour&since=2026-05-01', (change: Change) => change.occurredAt >= '2026-05-01'],
    ['&until=2026-04-30', (change: Change) => change.occurredAt <= '2026-04-30'],
  ])('can be combined with %s', async (rest, keeps) => {
    const wanted = all.filter(of('unemployment-rate')).filter(keeps);
    expect(ids(await found('unemployment', rest))).toEqual(ids(wanted));
    expect(wanted.length).toBeGreaterThan(0);
  });

  it('has pages like any list', async () => {
    const wanted = ids(all.filter(within('JP')));
    expect(ids(await walk<Change>(service, '/api/v1/changes?limit=3&q=japan'))).toEqual(wanted);
    const { body } = await service.get('/api/v1/changes?limit=1&q=japan');
    const other = await service.get(`/api/v1/changes?limit=1&q=china&cursor=${body.meta.page?.nextCursor ?? ''}`);
    expect(other.body.error?.code).toBe('invalid_cursor');
  });

  it.each(['xylophone', '饕餮', '🦄🦄', "' | !japan & zebra", '%', '*', 'r=JP zebra', 'japan zebra', '~:zebra'])(
    'treats the query as text only: %s',
    async (q) => {
      expect(await found(q)).toEqual([]);
    },
  );

  it('refuses an empty or too long query', async () => {
    for (const q of ['', '%20', '%00', 'q'.repeat(201)]) {
      expect((await service.get(`/api/v1/changes?q=${q}`)).status).toBe(400);
    }
  });
});
