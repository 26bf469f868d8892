// runs: on two instances
import type { DataSource } from 'typeorm';
import { MOST_FOLLOWS } from '../../src/serve/following/follows.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { anyText } from '../support/matchers.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { pagesOf } from '../support/walk.js';

const FOLLOWING = '/api/v1/following';
const CHANGES = '/api/v1/following/changes';

interface Target {
  readonly type: string;
  readonly key: string;
  readonly name: string;
  readonly url: string;
}
interface Followed {
  readonly id: string;
  readonly countries: readonly string[];
  readonly topics: readonly { slug: string }[];
  readonly subject: { readonly key: string };
  readonly followed: readonly Target[];
}
interface Follow {
  readonly id: string;
  readonly target: Target;
  readonly since: string;
}

let database: TestDatabase;
let service: TestServer;
let admin: DataSource;
beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
  admin = await database.open('admin');
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

/** All items, page by page. */
async function walk(owner: Owner, path: string): Promise<Followed[]> {
  const items: Followed[] = [];
  for await (const { data } of pagesOf<Followed[]>(service, path, owner.key)) items.push(...data);
  return items;
}

describe('GET /api/v1/following', () => {
  it('is empty for an account without follows, as are its changes', async () => {
    const owner = await ownerOf(service, 'nobody');
    expect((await owner.get(FOLLOWING)).body.data).toEqual([]);
    const { body } = await owner.get(CHANGES);
    expect(body).toMatchObject({ data: [], meta: { page: { limit: 20, nextCursor: null }, sources: [] } });
  });

  it('returns each kind of target by its name and address, newest first', async () => {
    await admin.query(
      `INSERT INTO entities (id, lei, name, type, status, source_id)
       VALUES ('ent_acme', '529900T8BM49AURSDO55', 'ACME Beteiligungs GmbH', 'general', 'active', 'worldbank-wdi')`,
    );
    const owner = await ownerOf(service, 'targets');
    const wanted = [
      ['topic', 'inflation', 'Inflation', '/topics/inflation'],
      ['coverage', 'prices', anyText, '/coverage/prices'],
      ['country', 'JPN', 'Japan', '/changes?country=JP'],
      ['country', 'emu', 'Euro area', '/changes?country=EMU'],
      ['entity', 'ent_acme', 'ACME Beteiligungs GmbH', '/entities/ent_acme/structure'],
      ['indicator', 'gdp-growth', 'Real GDP growth', '/macro/gdp-growth'],
      ['series', 'cpi-inflation@usa', 'Annual average CPI inflation, United States', '/macro/cpi-inflation?region=US'],
    ] as const;
    for (const [type, key] of wanted) await owner.follow(type, key);
    const { body, headers } = await owner.get<Follow[]>(FOLLOWING);
    expect(headers.get('cache-control')).toBe('no-store');
    const targets = body.data.map(({ target }) => target);
    for (const [type, , name, path] of wanted) {
      const url = `${service.url}/api/v1${path}`;
      const shown = path.replace('/changes?country=', '/countries/').replace('cpi-inflation?region=', 'cpi-inflation/');
      const page = `${service.url}${shown}?locale=en`;
      const isShown = type !== 'coverage' && type !== 'entity';
      expect(targets).toContainEqual({ type, key: anyText, name, url, ...(isShown && { page }) });
    }
    expect(body.data[0]).toEqual({ id: anyText, target: anyItem, since: '2026-01-01T00:00:00.000Z' });
    const japanese = await owner.get<Follow[]>(`${FOLLOWING}?locale=ja`);
    expect(japanese.body.data.map(({ target }) => target.name)).toContain('日本');
  });

  it('responds with 304 to a current tag, and changes with the follows', async () => {
    const owner = await ownerOf(service, 'tags');
    await owner.follow('topic', 'gdp');
    const { headers } = await owner.get(FOLLOWING);
    const conditional = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await owner.get(FOLLOWING, owner.key, conditional)).status).toBe(304);
    await owner.follow('topic', 'inflation');
    const after = await owner.get<Follow[]>(FOLLOWING, owner.key, conditional);
    expect([after.status, after.body.data.length]).toEqual([200, 2]);
  });

  it('contains each target once, up to its bound', async () => {
    const owner = await ownerOf(service, 'many');
    expect((await owner.follow('topic', 'gdp')).id).toBe((await owner.follow('topic', 'gdp')).id);
    await admin.query(
      `INSERT INTO follows (id, account_id, target_type, target_key, since)
       SELECT 'fol_' || n, a.id, 'entity', 'ent_' || n, now()
       FROM accounts a, generate_series(2, $2::int) n WHERE a.email = $1`,
      [owner.email, MOST_FOLLOWS],
    );
    await expect(owner.follow('topic', 'inflation')).rejects.toThrow('at most 500');
    const { status, body } = await owner.get<Follow[]>(FOLLOWING);
    expect([status, body.data.length]).toEqual([200, MOST_FOLLOWS]);
    // A target that does not exist (any more) keeps the key that the account gave it.
    expect(body.data.filter(({ target }) => target.key === 'ent_2')).toMatchObject([{ target: { name: 'ent_2' } }]);
    expect((await owner.get(CHANGES)).status).toBe(200);
  });
});

describe('GET /api/v1/following/changes', () => {
  it('merges the lists of the single targets: newest first, each change once, with the targets that it touches', async () => {
    const owner = await ownerOf(service, 'merged');
    await owner.follow('country', 'JP');
    await owner.follow('topic', 'inflation');
    await owner.follow('series', 'gdp-growth@US');
    const all = await walkAll('/api/v1/changes?limit=100');
    const touches = (change: Followed): string[] => [
      ...(change.countries.includes('JP') ? ['JP'] : []),
      ...(change.topics.some(({ slug }) => slug === 'inflation') ? ['inflation'] : []),
      ...(change.subject.key === 'gdp-growth@US' ? ['gdp-growth@US'] : []),
    ];
    const expected = all
      .map((change) => ({ id: change.id, followed: touches(change).sort() }))
      .filter(({ followed }) => followed.length > 0);
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.some(({ followed }) => followed.length > 1)).toBe(true);
    for (const limit of [1, 7, 100]) {
      const found = await walk(owner, `${CHANGES}?limit=${limit}`);
      expect(found.map(({ id, followed }) => ({ id, followed: followed.map(({ key }) => key).sort() }))).toEqual(
        expected,
      );
    }
  });

  it('contains the changes of an indicator, of an instrument and its relatives, and of an entity', async () => {
    const owner = await ownerOf(service, 'ways');
    await admin.query(
      `INSERT INTO change_entities SELECT 'ent_acme', max(position) FROM changes WHERE status <> 'withdrawn'`,
    );
    await owner.follow('entity', 'ent_acme');
    const [change, ...more] = await walk(owner, CHANGES);
    expect(more).toEqual([]);
    expect(change?.followed).toMatchObject([{ type: 'entity', name: 'ACME Beteiligungs GmbH' }]);
    await owner.follow('indicator', 'gdp-growth');
    const all = await walkAll('/api/v1/changes?limit=100');
    const found = await walk(owner, `${CHANGES}?limit=50`);
    expect(found.map(({ id }) => id)).toEqual(
      all.filter(({ id, subject }) => id === change?.id || subject.key.startsWith('gdp-growth@')).map(({ id }) => id),
    );
  });

  it('omits withdrawn changes and still returns full pages', async () => {
    const owner = await ownerOf(service, 'withdrawn');
    await owner.follow('country', 'DE');
    const before = await walk(owner, `${CHANGES}?limit=100`);
    const [first] = before;
    await admin.query(
      `UPDATE changes SET status = 'withdrawn', withdrawn_at = now(), withdrawal_reason = 'x' WHERE id = $1`,
      [first?.id],
    );
    const { body } = await owner.get<Followed[]>(`${CHANGES}?limit=5`);
    expect(body.data.map(({ id }) => id)).toEqual(before.slice(1, 6).map(({ id }) => id));
    await admin.query(
      `UPDATE changes SET status = 'verified', withdrawn_at = NULL, withdrawal_reason = NULL WHERE id = $1`,
      [first?.id],
    );
  });
});

const anyItem: unknown = expect.any(Object);

async function walkAll(path: string): Promise<Followed[]> {
  const items: Followed[] = [];
  for await (const { data } of pagesOf<Followed[]>(service, path)) items.push(...data);
  return items;
}
