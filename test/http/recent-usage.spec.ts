import { post, toolCall } from '../mcp/rpc.js';
import { RecentUsage } from '../../src/serve/limits/recent-usage.js';
import { StoppedClock } from '../support/clock.js';
import { commandLine, type CommandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const EMAIL = 'recent@usage.example';
const PASSWORD = 'tide and moon 47';
const MINUTE_MS = 60_000;

let database: TestDatabase;
let mailbox: Mailbox;
let service: TestServer;
let line: CommandLine;
const clock = new StoppedClock('2026-09-01T12:00:30Z');

beforeAll(async () => {
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  service = await startTestServer({ database, clock, environment: { SMTP_URL: mailbox.url } });
  line = commandLine({ database, service }, () => new Date(clock.wall()));
  await line.run(
    'accounts',
    'create',
    '--account',
    EMAIL,
    '--plan',
    'developer',
    '--signed-up',
    '2026-01-01T00:00:00Z',
  );
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
  await database.drop();
});

const written = () => service.server.app.get(RecentUsage, { strict: false }).flush();

async function makeKey(name: string): Promise<{ readonly id: string; readonly text: string }> {
  const [json = ''] = await line.run('keys', 'create', '--account', EMAIL, '--name', name, '--json');
  return (JSON.parse(json) as { key: { id: string; text: string } }).key;
}

const ask = (key: string, client: string) =>
  fetch(`${service.url}/api/v1/coverage`, { headers: { authorization: `Bearer ${key}`, 'user-agent': client } });

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? '';

/** An account created by the operator has no password until its owner requests one. */
async function ownersPage(): Promise<string> {
  const visitor = await new Visitor(service.url).open('/account/forgotten');
  await visitor.send('/account/forgotten', { email: EMAIL });
  await until(10_000, 'the mail', () => Promise.resolve(mailbox.count > 0));
  const token = tokenIn(mailbox.newest().text);
  await visitor.open(`/account/reset?token=${token}`);
  await visitor.send('/account/reset', { token, password: PASSWORD });
  await visitor.open('/account');
  return visitor.html;
}

describe('Recent usage', () => {
  it('shows owner and operator when and by which client each key was used, and the requests of each minute and hour', async () => {
    const [used, unused] = [await makeKey('used'), await makeKey('unused')];
    await ask(used.text, 'dashboard/1.0');
    clock.advance(2 * MINUTE_MS);
    await ask(used.text, 'dashboard/1.1 <b>');
    await ask(used.text, 'dashboard/1.1 <b>');
    await written();
    const html = await ownersPage();
    expect(html).toContain('2026-09-01 12:02 UTC<br><small>dashboard/1.1 &lt;b&gt;');
    expect(html).toContain('<title>12:00: 1</title>');
    expect(html).toContain('<title>12:01: 0</title>');
    expect(html).toContain('<title>12:02: 2</title>');
    // By hour, with all of its minutes.
    expect(html).toContain('<title>12:00: 3</title>');
    expect(html).toContain('<title>11:00: 0</title>');
    expect(html).toContain('not yet');
    const shown = await line.run('accounts', 'show', '--account', EMAIL);
    expect(shown[0]).toBe(`${EMAIL}: developer, active, en, signed up 7 months ago`);
    expect(shown.find((row) => row.includes(used.id))).toMatch(/live {3}\w.* {2}dashboard\/1\.1 <b> {2}/);
    expect(shown.find((row) => row.includes(unused.id))).toMatch(/live {3}never .* unused$/);
    expect(shown.filter((row) => row.startsWith('SESSION '))).toHaveLength(1);
    expect(shown.filter((row) => /operator +key_created/.test(row))).toHaveLength(2);
    expect(shown.join('\n')).not.toContain(used.text);
  });

  it('shows the newest refused requests, equal ones once, with what was wrong and never their query', async () => {
    const { text } = await makeKey('refused');
    const authorization = `Bearer ${text}`;
    const secret = 'tm_live_secret';
    for (let page = 0; page < 22; page += 1)
      await fetch(`${service.url}/api/v1/nothing/${String(page)}`, { headers: { authorization } });
    await written();
    clock.advance(1_000);
    await fetch(`${service.url}/api/v1/changes?limit=many&q=${secret}`, { headers: { authorization } });
    for (let time = 0; time < 3; time += 1)
      await post(service.url, toolCall('figures', { indicator: 'no such thing' }), { key: text });
    await written();
    await post(service.url, toolCall('figures', { indicator: 'no such thing' }), { key: text });
    await ask(text, 'fine/1.0');
    await written();
    const owner = await database.open('admin');
    const [row] = await owner.query<{ requests: Record<string, unknown>[] }[]>('SELECT requests FROM refused_requests');
    expect(row?.requests).toHaveLength(20);
    expect(
      row?.requests
        .slice(0, 2)
        .map(({ path, times, status, code, parameters }) => [path, times, status, code, parameters]),
    ).toEqual(
      expect.arrayContaining([
        ['/api/v1/mcp', 4, 200, 'invalid_parameter', ['indicator']],
        ['/api/v1/changes', 1, 400, 'invalid_parameter', ['limit']],
      ]),
    );
    expect(JSON.stringify(row)).not.toContain(secret);
    const visitor = await new Visitor(service.url).open('/account/sign-in');
    await visitor.send('/account/sign-in', { email: EMAIL, password: PASSWORD });
    await visitor.open('/account');
    expect(visitor.html).toContain('<code>GET /api/v1/changes</code></td><td>400</td>');
    expect(visitor.html).toContain('>A parameter is not valid</a> <code>limit</code>');
  });

  it('keeps minutes that could not be written for the next write', async () => {
    const { text } = await makeKey('kept');
    clock.advance(5 * MINUTE_MS);
    const owner = await database.open('admin');
    // Before the request: the service writes by itself every few seconds.
    await owner.query('ALTER TABLE minute_usage RENAME TO minute_usage_away');
    await ask(text, 'kept/1.0');
    await expect(written()).rejects.toThrow('minute_usage');
    await owner.query('ALTER TABLE minute_usage_away RENAME TO minute_usage');
    await written();
    expect(await owner.query('SELECT admitted FROM minute_usage ORDER BY minute DESC LIMIT 1')).toEqual([
      { admitted: 1 },
    ]);
  });

  it('deletes minutes that the page no longer shows', async () => {
    const { text } = await makeKey('later');
    clock.advance(25 * 60 * MINUTE_MS);
    await ask(text, 'later/1.0');
    await written();
    const owner = await database.open('admin');
    expect(await owner.query('SELECT count(*)::int AS minutes FROM minute_usage')).toEqual([{ minutes: 1 }]);
  });
});

describe('tidemark keys rotate', () => {
  it('creates a key of the same name, and ends the old one after the given hours', async () => {
    const old = await makeKey('rotated');
    const [json = ''] = await line.run('keys', 'rotate', old.id, '--account', EMAIL, '--hours', '2', '--json');
    const { key } = JSON.parse(json) as { key: { name: string; text: string } };
    expect(key.name).toBe('rotated');
    expect((await ask(old.text, 'x')).status).toBe(200);
    expect((await ask(key.text, 'x')).status).toBe(200);
    clock.advance(121 * MINUTE_MS);
    expect((await ask(old.text, 'x')).status).toBe(401);
    expect((await ask(key.text, 'x')).status).toBe(200);
    await expect(line.run('keys', 'rotate', old.id, '--account', EMAIL, '--hours', 'soon')).rejects.toThrow('--hours');
  });
});

describe('The commands for keys', () => {
  it('refuse a number of days or hours that is out of bounds', async () => {
    for (const days of ['0', '3651', '1.5']) {
      await expect(line.run('keys', 'create', '--account', EMAIL, '--days', days)).rejects.toThrow(
        '--days: a whole number from 1 to 3650',
      );
    }
    const { id } = await makeKey('bounded');
    await expect(line.run('keys', 'rotate', id, '--account', EMAIL, '--hours', '721')).rejects.toThrow(
      '--hours: a whole number from 0 to 720',
    );
  });
});
