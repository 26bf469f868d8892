import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { StoppedClock } from '../support/clock.js';
import { commandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner, type SiteOwner } from '../support/site-owner.js';

const PAGE = '/account/alerts';
const ALERTS = '/api/v1/alerts';
const NOW = '2026-12-01T09:00:00Z';
const GROWTH = { type: 'series', key: 'gdp-growth@JP' };

interface Alert {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly condition: object;
  readonly events: readonly { readonly headline: string }[];
}

let database: TestDatabase;
let service: TestServer;
const clock = new StoppedClock(NOW);
beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database, clock });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

// Each test begins with rested limits.
beforeEach(() => clock.advance(61_000));

const ownerOfPage = (name: string) => siteOwner(service, database, name, { now: new Date(clock.wall()) });

const alertsOf = async ({ key }: SiteOwner) => (await service.get<Alert[]>(ALERTS, key)).body.data;

async function publish(vintage: string, figures: Readonly<Record<string, Record<string, string>>>) {
  clock.advance(60_000);
  const now = () => new Date(clock.wall());
  await importFiles(await database.open('import'), OWN, [deliveryOf(vintage, { figures })], { accept: 'a test', now });
}

/** Sets an alert by the form, as a person does. */
async function set({ visitor }: SiteOwner, fields: Readonly<Record<string, string>>): Promise<string> {
  await visitor.open(`${PAGE}/new?type=${fields['type'] ?? ''}&key=${fields['key'] ?? ''}`);
  await visitor.send(`${PAGE}/new`, { action: 'add', ...fields });
  return /name="id" value="(alr_[\w-]+)"/.exec(visitor.html)?.[1] ?? '';
}

let refused = 0;

describe('The page of alerts', () => {
  it('sets an alert that the API shows and a publication fires', async () => {
    const owner = await ownerOfPage('ada');
    const { visitor } = owner;
    await visitor.open(`${PAGE}/new?q=growth`);
    expect(visitor.html).toContain('/account/alerts/new?indicator=gdp-growth');
    await visitor.open(`${PAGE}/new?indicator=gdp-growth`);
    expect(visitor.html).toContain('<option value="JP">Japan</option>');
    const id = await set(owner, { ...GROWTH, metric: 'value_above', threshold: '5.5', name: 'Boom' });
    expect(visitor.html).toContain('Value above 5.5 (Percent)');
    expect(await alertsOf(owner)).toMatchObject([
      { id, name: 'Boom', state: 'armed', condition: { metric: 'value_above', threshold: 5.5 } },
    ]);
    await publish('2026-11-20', { 'gdp-growth JP': { '2025': '1.2', '2026': '5.75' } });
    const headline = 'Japan: real GDP growth 5.75% in 2026, above 5.5%';
    expect(await alertsOf(owner)).toMatchObject([{ state: 'triggered' }]);
    await visitor.open(PAGE);
    expect(visitor.html).toContain('Triggered');
    await visitor.open(`${PAGE}/one?id=${id}`);
    const [, fired = '', sample = ''] = visitor.html.split('<h2');
    expect([fired, sample]).toEqual([expect.stringContaining('2026, above'), expect.stringContaining('Boom')]);
    expect(sample).toContain(headline.slice(0, 30));
    // Figures stand with their source.
    expect(visitor.html).toContain('World Bank');
  });

  it('pauses, resumes and removes an alert, with an audit row for each change, as the command does', async () => {
    const owner = await ownerOfPage('states');
    const id = await set(owner, { ...GROWTH, metric: 'any_change' });
    const states = [];
    for (const path of ['pause', 'resume']) {
      await owner.visitor.send(`${PAGE}/${path}`, { id });
      states.push((await alertsOf(owner))[0]?.state);
    }
    expect(states).toEqual(['paused', 'armed']);
    await owner.visitor.send(`${PAGE}/remove`, { id });
    expect([owner.visitor.status, await alertsOf(owner)]).toEqual([200, []]);
    const { run } = commandLine({ database, service }, () => new Date());
    const [, line = ''] = await run('alerts', 'create', 'topic', 'gdp', '--account', owner.email);
    await run('alerts', 'delete', line.split(' ', 1)[0] ?? '', '--account', owner.email, '--yes');
    const rows = await (
      await database.open('admin')
    ).query<{ actor: string; action: string }[]>(
      `SELECT actor, action FROM audit_events WHERE account_id = $1 AND action LIKE 'alert%' ORDER BY id`,
      [owner.accountId],
    );
    expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'owner alert_created',
      'owner alert_paused',
      'owner alert_resumed',
      'owner alert_deleted',
      'operator alert_created',
      'operator alert_deleted',
    ]);
  });

  it('shows before an alert is set what it would have said in the last year', async () => {
    const owner = await ownerOfPage('replay');
    const { visitor } = owner;
    await publish('2026-11-21', { 'cpi-inflation US': { '2023': '2.1', '2024': '2.2', '2025': '2.0' } });
    await publish('2026-11-22', { 'cpi-inflation US': { '2025': '2.0', '2026': '3.5' } });
    const target = { type: 'series', key: 'cpi-inflation@US', action: 'preview' };
    await visitor.open(`${PAGE}/new?type=series&key=cpi-inflation@US`);
    await visitor.send(`${PAGE}/new`, { ...target, metric: 'value_above', threshold: '3' });
    expect(visitor.html).toContain('The alert would have fired once.');
    expect(visitor.html).toContain('United States: annual average CPI inflation 3.5% in 2026, above 3.0%');
    await visitor.send(`${PAGE}/new`, { ...target, metric: 'value_above', threshold: '99' });
    expect(visitor.html).toContain('The alert would not have fired.');
    await visitor.send(`${PAGE}/new`, { ...target, metric: 'any_change' });
    expect(visitor.html).toMatch(/would have fired (once|\d+ times)/);
    expect(await alertsOf(owner)).toEqual([]);
  });

  it('replays what publications fired: the same figures on the same days', async () => {
    const owner = await ownerOfPage('same');
    const id = await set(owner, { ...GROWTH, metric: 'value_below', threshold: '0' });
    await publish('2026-11-23', { 'gdp-growth JP': { '2026': '5.75', '2027': '-1.0' } });
    await publish('2026-11-24', { 'gdp-growth JP': { '2027': '0.5', '2028': '0.7' } });
    await publish('2026-11-25', { 'gdp-growth JP': { '2028': '0.7', '2029': '-2.0' } });
    const [alert] = await alertsOf(owner);
    const fired = alert?.events.map(({ headline }) => headline) ?? [];
    expect(fired).toHaveLength(2);
    await owner.visitor.open(`${PAGE}/one?id=${id}`);
    const replayed = owner.visitor.html.split('id="replay"')[1] ?? '';
    const days = ['25 November 2026', '23 November 2026'];
    const lines = [...replayed.matchAll(/<li>([^<]+)<br><span class="quiet">([^<]+)</g)];
    expect(lines.map(([, headline, day]) => [headline, day])).toEqual(
      fired.map((headline, at) => [headline, days[at]]),
    );
  });

  it.each([
    [{ metric: 'value_above', threshold: '' }, 'needs a threshold'],
    [{ metric: 'value_above', threshold: '1,5' }, 'needs a threshold'],
    [{ metric: 'any_change', threshold: '1' }, 'takes no threshold'],
    [{ metric: 'move_percent', threshold: '5' }, 'already in percent'],
    [{ metric: 'any_change', name: 'a\u202eb\u0007' }, 'printable characters'],
  ])('refuses the condition or name %j with the reason', async (fields, reason) => {
    const owner = await ownerOfPage(`refused-${String(++refused)}`);
    await set(owner, { ...GROWTH, ...fields });
    expect([owner.visitor.status, owner.visitor.html]).toEqual([400, expect.stringContaining(reason)]);
    expect(await alertsOf(owner)).toEqual([]);
  });

  it.each([
    ['en', 'An account has at most 500 alerts.'],
    ['zh', '每个账户最多设置500条提醒'],
    ['ja', 'アラートは500件までです'],
  ])('refuses one more than its bound in %s', async (locale, text) => {
    const owner = await ownerOfPage(`full-${locale}`);
    await (
      await database.open('admin')
    ).query(
      `INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, created_at)
       SELECT 'alr_' || $2 || n, $1, 'x', 'topic', 'gdp', 'any_change', now() FROM generate_series(1, 500) n`,
      [owner.accountId, locale],
    );
    const fields = { type: 'topic', key: 'gdp', metric: 'any_change', action: 'add' };
    await owner.visitor.send(`${PAGE}/new?locale=${locale}`, fields);
    expect([owner.visitor.status, owner.visitor.html]).toEqual([400, expect.stringContaining(text)]);
    await owner.visitor.open(PAGE);
    expect(owner.visitor.html.match(/\/account\/alerts\/one\?id=/g)).toHaveLength(50);
    await owner.visitor.open(
      /href="([^"]*cursor=[^"]*)"/.exec(owner.visitor.html)?.[1]?.replaceAll('&amp;', '&') ?? '',
    );
    expect([owner.visitor.status, owner.visitor.html.match(/alerts\/one\?id=/g)?.length]).toEqual([200, 50]);
  });

  it('never shows a name as markup', async () => {
    const owner = await ownerOfPage('hostile');
    for (const text of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', ...HOSTILE_TEXTS.slice(0, 8)]) {
      await set(owner, { type: 'topic', key: 'gdp', name: Array.from(text).slice(0, 100).join('') });
      expect(owner.visitor.html).not.toMatch(/<script>alert|<img src=x/);
    }
    await owner.visitor.open(PAGE);
    expect(owner.visitor.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(owner.visitor.html).not.toMatch(/<script>alert|<img src=x/);
  });

  it('does not know the alert of another account', async () => {
    const [mine, other] = [await ownerOfPage('mine'), await ownerOfPage('other')];
    const id = await set(mine, { ...GROWTH, metric: 'any_change' });
    await other.visitor.open(`${PAGE}/one?id=${id}`);
    expect([other.visitor.status, other.visitor.html]).toEqual([
      400,
      expect.stringContaining('There is no such alert in your account.'),
    ]);
    for (const path of ['pause', 'resume', 'remove']) {
      await other.visitor.open(PAGE);
      await other.visitor.open(`${PAGE}/new?type=topic&key=gdp`);
      await other.visitor.send(`${PAGE}/${path}`, { id });
      expect([path, other.visitor.status]).toEqual([path, 400]);
    }
    expect(await alertsOf(mine)).toMatchObject([{ id, state: 'armed' }]);
  });

  it('accepts a form of its own page only', async () => {
    const owner = await ownerOfPage('foreign');
    const id = await set(owner, { ...GROWTH, metric: 'any_change' });
    for (const path of ['new', 'pause', 'resume', 'remove']) {
      await owner.visitor.open(`${PAGE}/one?id=${id}`);
      await owner.visitor.send(`${PAGE}/${path}`, { ...GROWTH, id }, { 'sec-fetch-site': 'cross-site' });
      expect([path, owner.visitor.status]).toEqual([path, 403]);
    }
    expect(await alertsOf(owner)).toMatchObject([{ id, state: 'armed' }]);
  });

  it.each(['en', 'zh', 'ja'])('shows each of its views in %s', async (locale) => {
    const owner = await ownerOfPage(`views-${locale}`);
    const id = await set(owner, { ...GROWTH, metric: 'value_above', threshold: '1' });
    const targets = ['type=country&key=JP', 'type=series&key=gdp-growth@JP', 'type=topic&key=gdp'];
    for (const path of ['', '/new', '/new?q=japan', ...targets.map((one) => `/new?${one}`), `/one?id=${id}`]) {
      const mark = path.includes('?') ? '&' : '?';
      await owner.visitor.open(`${PAGE}${path}${mark}locale=${locale}`);
      expect([path, owner.visitor.status, owner.visitor.headers['content-language']]).toEqual([path, 200, locale]);
      expect(owner.visitor.html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script|undefined|\{\w+\}/);
    }
  });
});
