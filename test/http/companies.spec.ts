import { importFiles } from '../../src/publish/import/import-files.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { groupOf } from '../publishing/registers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { anyText, like } from '../support/matchers.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

interface Company {
  readonly slug: string;
  readonly url: string;
  readonly name: string;
  readonly entityId: string;
  readonly country: string | null;
  readonly counts: { readonly subsidiaries: number; readonly changes: number };
  readonly relations?: readonly {
    relation: string;
    name: string | null;
    slug: string | null;
    missing: string | null;
  }[];
  readonly changes?: readonly { id: string; kind: string; companies: readonly { slug: string }[]; figure: unknown }[];
  readonly structureUrl?: string;
}

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  const many = Array.from({ length: 30 }, (_, index) => `pier${String(index).padStart(2, '0')}`);
  await publishRegister(
    database,
    groupOf('2026-02-01', { entities: { alpha: {}, beta: {} }, relations: { 'beta alpha': {} }, lists: { alpha: 1 } }),
    groupOf('2026-03-01', {
      entities: { gamma: {}, ...Object.fromEntries(many.map((name) => [name, { country: 'NL' }])) },
      relations: { 'beta alpha': {}, 'gamma alpha': {} },
      lists: { alpha: 2 },
    }),
  );
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const list = async (query = ''): Promise<Body<Company[]>> => {
  const { status, body } = await service.get<Company[]>(`/api/v1/companies${query}`);
  expect(status).toBe(200);
  return body;
};
const slugs = async (query: string): Promise<string[]> => (await list(query)).data.map(({ slug }) => slug);

describe('GET /api/v1/companies', () => {
  it('returns every active entity once, by name, over all pages', async () => {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { data, meta } = await list(`?limit=7${cursor}`);
      seen.push(...data.map(({ name }) => name));
      if (meta.page?.nextCursor == null) break;
      cursor = `&cursor=${meta.page.nextCursor}`;
    }
    const plain = (name: string) =>
      name
        .normalize('NFD')
        .replace(/[^A-Za-z0-9 ]/g, '')
        .toLowerCase();
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.map(plain)).toEqual(seen.map(plain).sort());
    expect(seen).toHaveLength(11 + 3 + 33);
    expect(seen).not.toContain('Alte Werft GmbH');
  });

  it('returns identifiers, tickers, the parent and counts, and names the source of each', async () => {
    const { data, meta } = await list('?q=quay');
    expect(data).toEqual([
      {
        slug: 'quay-software-inc',
        url: `${service.url}/api/v1/companies/quay-software-inc`,
        page: `${service.url}/companies/quay-software-inc?locale=en`,
        records: [
          'https://search.gleif.org/#/record/9ZTEST00QUAYSOFT0505',
          'https://www.sec.gov/edgar/browse/?CIK=9000001',
        ],
        name: 'Quay Software, Inc.',
        nameLanguage: 'en',
        legalName: 'Quay Software, Inc.',
        lei: '9ZTEST00QUAYSOFT0505',
        tickers: ['QUAY', 'QUAY-B'],
        cik: 9_000_001,
        country: 'US',
        entityId: anyText,
        parent: {
          entityId: anyText,
          lei: '9ZTEST00HARBOUR00410',
          name: 'Harbour Crane Services Limited',
          slug: 'harbour-crane-services-limited',
          missing: null,
        },
        counts: { subsidiaries: 1, consolidated: 1, changes: 0 },
        sources: ['gleif', 'sec'],
      },
    ]);
    expect(meta.sources.map(({ id }) => id)).toEqual(['gleif', 'sec']);
  });

  it.each([
    ['a word', 'seefracht', ['nordwind-seefracht-gmbh']],
    ['the beginning of a word', 'logi', ['nordwind-logistics-limited']],
    ['more than the key of a word', 'logistic', ['nordwind-logistics-limited']],
    ['a word with one letter too many', 'logisticsx', ['nordwind-logistics-limited']],
    ['more than any word', 'logisticsxyz', []],
    ['a name without its legal form', 'Nordwind Logistics', ['nordwind-logistics-limited']],
    ['a name with its legal form in short', 'nordwind logistics ltd.', ['nordwind-logistics-limited']],
    ['an LEI', '9ztest00quaysoft0505', ['quay-software-inc']],
    ['a CIK', 'CIK 0009000001', ['quay-software-inc']],
    ['words in any order and case', 'LIMITED nordwind', ['nordwind-logistics-limited']],
    ['a name without its accents', 'ecluse', ['ecluse-profonde-sa']],
    ['full-width letters', 'Ｎｏｒｄｗｉｎｄ　Ｈｏｌｄｉｎｇ', expect.arrayContaining(['nordwind-holding-ag'])],
    ['a ticker', 'quay-b', ['quay-software-inc']],
    ['what no name has', 'nothing here', []],
    ['wildcards', '%_%', []],
    ['marks alone', "'; --", []],
  ])('finds by %s', async (_, q, expected) => {
    expect(await slugs(`?q=${encodeURIComponent(q)}`)).toEqual(expected);
  });

  it('filters by country in any spelling, also with a query and over pages', async () => {
    expect(await slugs('?country=AUT')).toEqual(['ring-eins-gmbh', 'ring-zwei-gmbh']);
    expect(await slugs('?country=at&q=zwei')).toEqual(['ring-zwei-gmbh']);
    const first = await list('?country=NL&q=pi&limit=20');
    const second = await list(`?country=NL&q=pi&limit=20&cursor=${first.meta.page?.nextCursor ?? ''}`);
    expect([...first.data, ...second.data].map(({ slug }) => slug)).toEqual(
      Array.from({ length: 30 }, (_, index) => `pier${String(index).padStart(2, '0')}-ag`),
    );
    expect(await slugs('?country=BR')).toEqual([]);
    expect((await service.get('/api/v1/companies?country=XX')).status).toBe(400);
  });

  it('refuses a cursor of another request', async () => {
    const { meta } = await list('?limit=1&q=nordwind');
    const { status, body } = await service.get(`/api/v1/companies?limit=1&cursor=${meta.page?.nextCursor ?? ''}`);
    expect([status, body.error?.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('GET /api/v1/companies/{slug}', () => {
  const one = async (slug: string): Promise<Body<Company>> =>
    (await service.get<Company>(`/api/v1/companies/${slug}`)).body;

  it('returns direct relations, even if no register describes their other end', async () => {
    const { data } = await one('nordwind-logistics-limited');
    expect(data.relations).toEqual([
      like({ relation: 'parent', slug: 'nordwind-holding-ag', since: '2018-07-01', source: 'gleif' }),
      like({ relation: 'subsidiary', slug: 'harbour-crane-services-limited' }),
      like({ relation: 'subsidiary', name: null, slug: null, missing: 'not_in_source', lei: '9ZTEST00NOTHERE00260' }),
    ]);
    expect(data.structureUrl).toBe(`${service.url}/api/v1/entities/${data.entityId}/structure`);
  });

  it('returns a page of its changes, which name their companies', async () => {
    for (const slug of ['alpha-ag', 'gamma-ag']) {
      const { data } = await one(slug);
      expect(data.counts.changes).toBe(1);
      expect(data.changes).toEqual([
        like({
          kind: 'structure',
          figure: null,
          companies: [
            { slug: 'alpha-ag', name: 'Alpha AG' },
            { slug: 'gamma-ag', name: 'Gamma AG' },
          ],
          subject: { type: 'entity', key: anyText, name: 'Gamma AG', region: null },
          sources: ['gleif'],
        }),
      ]);
    }
    expect((await one('beta-ag')).data.changes).toEqual([]);
  });

  it('responds at the address of each item of the list', async () => {
    for (const { url } of (await list('?limit=5')).data) {
      expect((await service.get(url.slice(service.url.length))).status).toBe(200);
    }
  });

  it.each(['no-such-company', 'alte-werft-gmbh', 'UPPER', 'a%2Fb'])('responds with 404 to %s', async (slug) => {
    expect((await service.get(`/api/v1/companies/${slug}`)).status).toBe(404);
  });
});

describe('A company of a withheld source', () => {
  it('loses CIK and tickers with the regulator, and disappears with its register', async () => {
    const own = await createTestDatabase();
    await publishRegister(own);
    const publisher = await own.open('import');
    await withholdSource(publisher, 'sec', () => new Date('2026-08-02T10:00:00Z'));
    const other = await startTestServer({ database: own });
    const quay = (await other.get<Company>('/api/v1/companies/quay-software-inc')).body;
    expect(quay.data).toMatchObject({ cik: null, tickers: [], sources: ['gleif'] });
    expect((await other.get<Company[]>('/api/v1/companies?q=acme')).body.data).toHaveLength(2);
    for (const q of ['quay-b', 'nwnd', '9000003']) {
      const found = (await other.get<Company[]>(`/api/v1/companies?q=${q}`)).body.data;
      expect({ q, found: found.map(({ slug }) => slug) }).toEqual({ q, found: [] });
    }
    await other.close();
    await withholdSource(publisher, 'gleif', () => new Date('2026-08-03T10:00:00Z'));
    const blind = await startTestServer({ database: own });
    expect((await blind.get<Company[]>('/api/v1/companies')).body).toMatchObject({ data: [], meta: { sources: [] } });
    expect((await blind.get('/api/v1/companies/quay-software-inc')).status).toBe(404);
    expect((await blind.get(`/api/v1/entities/${quay.data.entityId}/structure`)).status).toBe(404);
    expect((await blind.get<Company[]>('/api/v1/companies?q=nordwind')).body.data).toEqual([]);
    await blind.close();
    await own.drop();
  });
});

describe('a name that several companies bear', () => {
  it('finds the head of the group first, then the others', async () => {
    const own = await createTestDatabase();
    const many = Array.from({ length: 120 }, (_, index) => `child${String(index).padStart(3, '0')}`);
    const named = (name: string) => ({ name, country: 'DE' });
    await publishRegister(
      own,
      groupOf('2026-02-01', {
        entities: {
          head: named('Zimt SE'),
          namesake: named('Zimt GmbH'),
          ...Object.fromEntries(many.map((child) => [child, named(`Aaa Zimt ${child} GmbH`)])),
        },
        relations: Object.fromEntries(many.map((child) => [`${child} head`, {}])),
        lists: { head: many.length },
      }),
    );
    const other = await startTestServer({ database: own });
    const first = async (q: string) =>
      (await other.get<Company[]>(`/api/v1/companies?limit=2&q=${encodeURIComponent(q)}`)).body.data;
    expect(await first('Zimt')).toEqual([
      like({ slug: 'zimt-se', counts: { subsidiaries: 120, consolidated: 120, changes: 0 } }),
      like({ slug: 'zimt-gmbh' }),
    ]);
    expect((await first('zimt gmbh')).map(({ slug }) => slug)).toEqual(['zimt-gmbh', 'zimt-se']);
    const found = (await other.get<{ id: string }[]>('/api/v1/search?q=zimt&limit=1')).body.data;
    expect(found).toEqual([like({ id: 'zimt-se' })]);
    await other.close();
    await own.drop();
  });
});

describe('companies whose entries wait', () => {
  it('are shown as before, with a notice wherever they are', async () => {
    const own = await createTestDatabase();
    const entities = { alpha: {}, beta: {}, gamma: {}, delta: {}, omega: {}, sigma: {}, tau: {} };
    const stored = { 'beta alpha': {}, 'gamma beta': {} };
    await publishRegister(own, groupOf('2026-02-01', { entities, relations: stored }));
    const swapped = { ...entities, delta: { name: 'Omega AG' }, omega: { name: 'Delta AG' } };
    const wrong = groupOf('2026-03-01', { entities: swapped, relations: { ...stored, 'alpha gamma': {} } });
    const now = () => new Date('2026-08-01T10:00:00Z');
    const [report] = await importFiles(await own.open('import'), gleif, [wrong], { now });
    expect(report?.quarantined).toHaveLength(3);
    const other = await startTestServer({ database: own });
    const read = async (path: string) => (await other.get<Company>(`/api/v1/${path}`)).body;
    const alpha = await read('companies/alpha-ag');
    const below =
      'What the register states now has been waiting for a review since 1 March 2026, because a new parent is one of the ' +
      'company’s own subsidiaries: Alpha AG. What is shown was accepted before.';
    expect([alpha.meta.notices, alpha.data.relations]).toEqual([
      [below],
      [like({ relation: 'subsidiary', name: 'Beta AG' })],
    ]);
    expect((await read(`entities/${alpha.data.entityId}/structure`)).meta.notices).toEqual([below]);
    expect((await read('companies/beta-ag')).meta.notices).toEqual([]);
    expect((await read('companies?q=delta&locale=zh')).meta.notices).toEqual([
      '自2026年3月1日起，以下公司的最新登记信息因公司名称或证券代码疑似互换而待审核：Delta AG。此处显示的是此前已确认的信息。',
    ]);
    expect((await read('companies/omega-ag?locale=ja')).meta.notices).toEqual([
      '次の企業の最新の登録情報は、企業の名称またはティッカーが入れ替わっているとみられるため、2026年3月1日から確認待ちとし、表示を見合わせています：Omega AG。' +
        '表示しているのは、それ以前に確認済みの内容です。',
    ]);
    await other.close();
    await own.drop();
  });
});
