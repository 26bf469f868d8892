// runs: in full only
import { MOST_FOLLOWS } from '../../src/serve/following/follows.js';
import { StoppedClock } from '../support/clock.js';
import { commandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { publishWorld, writeRegister } from '../support/search/world.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner, type SiteOwner } from '../support/site-owner.js';

const PAGE = '/account/follows';
const FOLLOWING = '/api/v1/following';

interface Follow {
  readonly target: { readonly type: string; readonly key: string };
}

let database: TestDatabase;
let service: TestServer;
const clock = new StoppedClock(new Date().toISOString());
beforeAll(async () => {
  database = await createTestDatabase();
  const publisher = await database.open('import');
  await publishWorld(publisher, '2026-01-01');
  await writeRegister(publisher);
  await publishWorld(publisher, '2026-02-01');
  service = await startTestServer({ database, clock });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

// Each test begins with rested limits.
beforeEach(() => clock.advance(61_000));

async function followed({ key }: SiteOwner): Promise<string[]> {
  const { body } = await service.get<Follow[]>(FOLLOWING, key);
  return body.data.map(({ target }) => `${target.type} ${target.key}`);
}

async function auditOf({ accountId }: SiteOwner) {
  const source = await database.open('admin');
  return source.query<object[]>(
    `SELECT actor, action, address FROM audit_events WHERE account_id = $1 AND action LIKE 'follow%' ORDER BY id`,
    [accountId],
  );
}

describe('The page of follows', () => {
  it('follows what its search finds, and unfollows it, as the API then shows', async () => {
    const owner = await siteOwner(service, database, 'ada');
    const { visitor } = owner;
    await visitor.open(`${PAGE}?q=japan`);
    expect(visitor.html).toContain('name="type" value="country"');
    await visitor.send(PAGE, { type: 'country', key: 'JP', q: 'japan' });
    expect([visitor.status, await followed(owner)]).toEqual([200, ['country JP']]);
    // The search is still there, and its hit is no longer offered.
    expect(visitor.html).toMatch(/name="q" type="search"[^>]* value="japan"/);
    expect(visitor.html).toContain('<em>Followed</em>');
    await visitor.send(`${PAGE}/remove`, { type: 'country', key: 'JP' });
    expect(await followed(owner)).toEqual([]);
    expect(visitor.html).toContain('You do not follow anything yet.');
  });

  it('reaches every type of target', async () => {
    const owner = await siteOwner(service, database, 'types');
    const { visitor } = owner;
    const [company] = (await service.get<{ slug: string; name: string }[]>('/api/v1/companies?limit=1')).body.data;
    const searches = [
      ['topic', 'inflation', 'inflation'],
      ['coverage', 'prices', 'prices'],
      ['country', 'JP', 'japan'],
      ['company', company?.slug ?? '', company?.name ?? ''],
      ['entity', 'ent_shellfinance', 'shell international finance'],
      ['instrument', 'eurusd', 'euro dollar'],
      ['indicator', 'cpi-inflation', 'cpi inflation'],
    ] as const;
    for (const [type, key, q] of searches) {
      await visitor.open(`${PAGE}?q=${encodeURIComponent(q)}`);
      expect({ type, form: visitor.html.includes(`name="type" value="${type}"`) }).toEqual({ type, form: true });
      expect(visitor.html).toContain(`name="key" value="${key}"`);
      await visitor.send(PAGE, { type, key });
    }
    await visitor.open(`${PAGE}?indicator=cpi-inflation`);
    expect(visitor.html).toContain('<option value="JP">Japan</option>');
    await visitor.send(PAGE, { type: 'series', key: 'cpi-inflation', region: 'JP' });
    expect((await followed(owner)).sort()).toEqual(
      [...searches.map(([type, key]) => `${type} ${key}`), 'series cpi-inflation@JP'].sort(),
    );
  });

  it('leaves an audit row for each change, as the command does', async () => {
    const owner = await siteOwner(service, database, 'audited');
    const { visitor } = owner;
    await visitor.send(PAGE, { type: 'topic', key: 'inflation' });
    await visitor.send(`${PAGE}/remove`, { type: 'topic', key: 'inflation' });
    const { run } = commandLine({ database, service }, () => new Date());
    await run('follows', 'add', 'country', 'JP', '--account', owner.email);
    await run('follows', 'remove', 'country', 'JP', '--account', owner.email, '--yes');
    const own = { actor: 'owner', address: '127.0.0.x' };
    const operator = { actor: 'operator', address: null };
    expect(await auditOf(owner)).toEqual([
      { ...own, action: 'follow_added' },
      { ...own, action: 'follow_removed' },
      { ...operator, action: 'follow_added' },
      { ...operator, action: 'follow_removed' },
    ]);
    await visitor.open('/account/activity');
    expect(visitor.html).toContain('Target unfollowed');
  });

  it.each([
    ['en', 'An account follows at most 500 targets.'],
    ['zh', '每个账户最多关注500个对象'],
    ['ja', 'フォローできる対象は500件までです'],
  ])('refuses one more than its bound in %s', async (locale, text) => {
    const owner = await siteOwner(service, database, `full-${locale}`);
    await (
      await database.open('admin')
    ).query(
      `INSERT INTO follows (id, account_id, target_type, target_key, since)
       SELECT 'fol_' || $3 || n, $1, 'entity', 'ent_' || n, now() FROM generate_series(1, $2::int) n`,
      [owner.accountId, MOST_FOLLOWS, locale],
    );
    await owner.visitor.send(`${PAGE}?locale=${locale}`, { type: 'topic', key: 'inflation' });
    expect([owner.visitor.status, owner.visitor.html]).toEqual([400, expect.stringContaining(text)]);
    expect(await followed(owner)).toHaveLength(MOST_FOLLOWS);
  });

  it('refuses what does not exist, and never shows it as markup', async () => {
    const owner = await siteOwner(service, database, 'hostile');
    const { visitor } = owner;
    for (const text of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      ...HOSTILE_TEXTS.filter((one) => one.length <= 200),
    ]) {
      clock.advance(1_000);
      await visitor.open(`${PAGE}?${new URLSearchParams({ q: text }).toString()}`);
      expect([text, visitor.status]).toEqual([text, 200]);
      expect(visitor.html).not.toMatch(/<script>alert|<img src=x/);
    }
    for (const type of ['planet', 'topic', 'series', '__proto__']) {
      await visitor.open(PAGE);
      await visitor.send(PAGE, { type, key: '<script>alert(1)</script>' });
      expect([type, visitor.status]).toEqual([type, 400]);
      expect(visitor.html).toContain('There is no such target.');
      expect(visitor.html).not.toContain('<script>alert');
    }
    expect(await followed(owner)).toEqual([]);
  });

  it('shows a company’s name from a register as text', async () => {
    const admin = await database.open('admin');
    await admin.query(
      `INSERT INTO entities (id, lei, name, type, status, source_id)
       VALUES ('ent_evil', '529900T8BM49AURSDO55', '<script>alert(1)</script> & Co', 'general', 'active', 'worldbank-wdi')`,
    );
    const { visitor } = await siteOwner(service, database, 'names');
    await visitor.send(PAGE, { type: 'entity', key: 'ent_evil' });
    expect(visitor.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co');
    expect(visitor.html).not.toContain('<script>alert');
  });

  it('accepts a form of its own page only, and a visitor without a session sees the sign-in', async () => {
    const owner = await siteOwner(service, database, 'foreign');
    const { visitor } = owner;
    for (const path of [PAGE, `${PAGE}/remove`]) {
      await visitor.open(PAGE);
      await visitor.send(path, { type: 'topic', key: 'inflation' }, { 'sec-fetch-site': 'cross-site' });
      expect([path, visitor.status]).toEqual([path, 403]);
      await visitor.open(PAGE);
      await visitor.send(path, { type: 'topic', key: 'inflation', form: 'x' });
      expect([path, visitor.status]).toEqual([path, 403]);
    }
    expect(await followed(owner)).toEqual([]);
    visitor.cookie = '';
    await visitor.open(PAGE);
    expect([visitor.status, visitor.headers.location]).toEqual([303, '/account/sign-in?locale=en']);
  });

  it.each(['en', 'zh', 'ja'])('shows each of its views in %s', async (locale) => {
    const { visitor } = await siteOwner(service, database, `views-${locale}`);
    await visitor.send(PAGE, { type: 'country', key: 'JP' });
    for (const query of ['', 'q=japan&', 'q=zzzzqqqq&', 'indicator=cpi-inflation&', 'indicator=none&']) {
      await visitor.open(`${PAGE}?${query}locale=${locale}`);
      expect([query, visitor.status, visitor.headers['content-language']]).toEqual([query, 200, locale]);
      expect(visitor.html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script|undefined|\{\w+\}/);
    }
  });
});
