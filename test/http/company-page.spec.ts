import { LOCALES } from '../../src/domain/locale/locale.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { groupOf, leiOf } from '../publishing/registers.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { unescaped } from '../support/html.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { publishRegister } from './registered.js';

const HTML = 'text/html';
/** Names that try an element, an attribute, the end of a data block, and the other direction of writing. */
const HOSTILE = {
  element: '<script>alert(1)</script> & <img src=x onerror=alert(2)>',
  attribute: 'Acme" onmouseover="alert(3)',
  block: '</script><script>alert(4)</script>',
  hebrew: 'חברה (בע"מ) 12',
};
const MANY = Array.from({ length: 30 }, (_, index) => `pier${String(index).padStart(2, '0')}`);

describe('The page of a company', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const names = Object.entries(HOSTILE);
    const children = [...MANY, ...Object.keys(HOSTILE)];
    await publishRegister(
      database,
      groupOf('2026-02-01', {
        entities: { alpha: { name: 'Alpha 株式会社', language: 'ja', country: 'JP' } },
        lists: { alpha: 0 },
      }),
      groupOf('2026-03-01', {
        entities: {
          ...Object.fromEntries(MANY.map((name) => [name, { country: 'NL' }])),
          ...Object.fromEntries(names.map(([id, name]) => [id, { name }])),
        },
        relations: {
          ...Object.fromEntries(children.map((child) => [`${child} alpha`, { since: '2020-05-01' }])),
          'alpha absent': {},
        },
        lists: { alpha: 40 },
      }),
    );
    service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const open = async (path: string): Promise<{ status: number; html: string }> => {
    const { status, bytes } = await exchange(service.url, path, { headers: { accept: HTML } });
    return { status, html: bytes.toString() };
  };
  const slugOf = async (q: string): Promise<string> => {
    const { body } = await service.get<{ slug: string }[]>(`/api/v1/companies?q=${encodeURIComponent(q)}&limit=1`);
    return body.data[0]?.slug ?? '';
  };

  it('shows identifiers, tickers and country, and links the registers', async () => {
    const { status, html } = await open('/companies/quay-software-inc?locale=en');
    expect(status).toBe(200);
    for (const text of ['9ZTEST00QUAYSOFT0505', '9000001', 'QUAY-B', 'United States', 'Legal name'])
      expect(html).toContain(text);
    expect(html).toContain('href="https://search.gleif.org/#/record/9ZTEST00QUAYSOFT0505"');
    expect(html).toContain('href="https://www.sec.gov/edgar/browse/?CIK=9000001"');
    expect(html).toContain('href="/companies/harbour-crane-services-limited?locale=en"');
  });

  it('shows 25 subsidiaries and then the others, and the number that the register states', async () => {
    const path = `/companies/${await slugOf(leiOf('alpha'))}`;
    const { html } = await open(`${path}?locale=en`);
    expect(html).toContain('Directly consolidated entities: 40 stated by the register, 34 of them in the database.');
    const [first = '', others = ''] = html.split('<summary>The next 9 by name</summary>');
    expect(first.match(/since 1 May 2020/g)).toHaveLength(25);
    expect(others.match(/since 1 May 2020/g)).toHaveLength(9);
    const file = await (await fetch(`${service.url}${path}?format=csv`)).text();
    expect(file.match(/^subsidiary,/gm)).toHaveLength(34);
    expect(html).toContain('<bdi lang="ja">Alpha 株式会社</bdi>');
    // No register describes its parent, and none states the ultimate one.
    expect(html).toContain(`<li>LEI ${leiOf('absent')} `);
    expect(html).toContain('<p>None is stated.</p>');
  });

  it('links the newest changes of its group, whose pages link it', async () => {
    const slug = await slugOf(leiOf('alpha'));
    const { html } = await open(`/companies/${slug}?locale=en`);
    const changes = [...html.matchAll(/href="(\/changes\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(changes).toHaveLength(10);
    expect((await open(changes[0] ?? '')).html).toContain(`href="/companies/${slug}?locale=en"`);
  });

  it.each(LOCALES)('escapes and isolates names in %s', async (locale) => {
    for (const [id, name] of Object.entries(HOSTILE)) {
      const { status, html } = await open(`/companies/${await slugOf(leiOf(id))}?locale=${locale}`);
      expect([id, status]).toEqual([id, 200]);
      const [, heading = ''] = /<h1><bdi>(.*?)<\/bdi><\/h1>/s.exec(html) ?? [];
      expect(unescaped(heading)).toBe(name);
      expect(html.match(/<script/g)).toHaveLength(1);
      expect(html.split('<body>')[1]).not.toMatch(/<img src=x|" onmouseover=/);
      const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
      expect(JSON.parse(json)).toMatchObject({
        '@type': 'Dataset',
        about: { '@type': 'Organization', name, leiCode: leiOf(id) },
      });
    }
  });

  it('is linked from the entities of a structure map that are companies', async () => {
    const alpha = await slugOf(leiOf('alpha'));
    const { body } = await service.get<{ entityId: string }>(`/api/v1/companies/${alpha}`);
    const map = await service.get<{ nodes: { slug: string | null; page?: string; lei: string }[] }>(
      `/api/v1/entities/${body.data.entityId}/structure?depth=1&locale=zh`,
    );
    const linkOf = (name: string) => {
      const { slug, page } = map.body.data.nodes.find(({ lei }) => lei === leiOf(name)) ?? {};
      return [slug, page];
    };
    expect(linkOf('alpha')).toEqual([alpha, `${service.url}/companies/${alpha}?locale=zh`]);
    expect(linkOf('pier07')[1]).toBe(`${service.url}/companies/pier07-ag?locale=zh`);
    expect(linkOf('absent')).toEqual([null, undefined]);
  });

  it('is 404 once its register is withheld', async () => {
    const page = `/companies/${await slugOf(leiOf('pier01'))}`;
    expect((await open(page)).status).toBe(200);
    await withholdSource(await database.open('import'), 'gleif', () => new Date('2026-11-20T12:00:00Z'));
    await service.server.app.get(Heartbeat).poll();
    expect((await open(page)).status).toBe(404);
  });
});
