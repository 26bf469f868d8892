import { Access } from '../../src/serve/access/accounts/access.js';
import { NotificationSender } from '../../src/people/notifications/notification-sender.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const PAGE = '/account/notifications';
const PASSWORD = 'tide and moon 47';
const SECRET = /whsec_[A-Za-z0-9+/=]{44}/;

let database: TestDatabase;
let mailbox: Mailbox;
let receiver: Receiver;
let service: TestServer;
const clock = new StoppedClock('2026-09-01T12:00:00Z');

beforeAll(async () => {
  [database, mailbox, receiver] = [await createTestDatabase(), await openMailbox(), await openReceiver()];
  const environment = { SMTP_URL: mailbox.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  service = await startTestServer({ database, clock, environment });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
  await mailbox.close();
  await database.drop();
});
beforeEach(() => clock.advance(10 * 24 * 3_600_000));

let people = 0;
async function visitorOf(at = service, locale = 'en') {
  people += 1;
  const email = `reader-${String(people)}@mail.example`;
  const visitor = await new Visitor(at.url).open(`/account/sign-up?locale=${locale}`);
  await visitor.send(`/account/sign-up?locale=${locale}`, { email });
  const [, token = ''] = /token=([\w-]{43})/.exec(mailbox.newest(email).text) ?? [];
  await visitor.open(`/account/confirm?token=${token}&locale=${locale}`);
  await visitor.send(`/account/confirm?locale=${locale}`, { token, password: PASSWORD });
  await visitor.open(`${PAGE}?locale=${locale}`);
  return { visitor, email };
}

const idIn = (html: string): string => /name="id" value="(chn_[\w-]+)"/.exec(html)?.[1] ?? '';
const send = () => service.server.app.get(NotificationSender, { strict: false }).run();

describe('The page of notifications', () => {
  it('turns mails on and off, each with a row in the history', async () => {
    const { visitor, email } = await visitorOf();
    expect(visitor.html).toContain('You get no e-mail about your alerts.');
    await visitor.send(`${PAGE}/mail`, { on: '1' });
    expect(visitor.html).toContain(`We e-mail ${email} when an alert fires.`);
    await visitor.send(`${PAGE}/mail`, { on: '1' });
    await visitor.send(`${PAGE}/mail`, { on: '0' });
    expect(visitor.html).toContain('You get no e-mail about your alerts.');
    await visitor.open('/account/activity');
    for (const action of ['E-mail notifications turned on', 'E-mail notifications turned off']) {
      expect(visitor.html.split(action)).toHaveLength(2);
    }
  });

  it('shows the secret of a webhook once, also if the form is submitted twice', async () => {
    const { visitor } = await visitorOf();
    const [, reserved = ''] = /name="new_channel_id" value="(chn_[\w-]+)"/.exec(visitor.html) ?? [];
    const fields = { url: 'https://hooks.example/a', new_channel_id: reserved };
    await visitor.send(`${PAGE}/webhooks`, fields);
    expect([visitor.status, visitor.headers['cache-control']]).toEqual([200, 'no-store']);
    const [secret = ''] = SECRET.exec(visitor.html) ?? [];
    expect(secret).not.toBe('');
    await visitor.open(PAGE);
    expect(visitor.html).toContain('https://hooks.example/a');
    await visitor.send(`${PAGE}/webhooks`, fields);
    expect([visitor.status, SECRET.test(visitor.html)]).toEqual([400, false]);
    await visitor.open(PAGE);
    expect(visitor.html.split('<code>https://hooks.example/a</code>')).toHaveLength(2);
    expect(service.lines.join('\n')).not.toContain(secret);
  });

  it('rotates a secret once at a time, and removes the webhook', async () => {
    const { visitor } = await visitorOf();
    await visitor.send(`${PAGE}/webhooks`, { url: 'https://hooks.example/b' });
    const [first] = SECRET.exec(visitor.html) ?? [];
    await visitor.open(PAGE);
    const id = idIn(visitor.html);
    await visitor.send(`${PAGE}/rotate`, { id, grace: '72' });
    const [second] = SECRET.exec(visitor.html) ?? [];
    expect([visitor.status, second === first]).toEqual([200, false]);
    await visitor.open(PAGE);
    expect(visitor.html).toContain('The old secret signs until ');
    await visitor.send(`${PAGE}/rotate`, { id, grace: '24' });
    expect([visitor.status, SECRET.test(visitor.html)]).toEqual([400, false]);
    await visitor.send(`${PAGE}/remove`, { id });
    expect(visitor.html).not.toContain('https://hooks.example/b');
    await visitor.open('/account/activity');
    for (const action of ['Webhook added', 'Webhook secret rotated', 'Webhook removed']) {
      expect(visitor.html).toContain(action);
    }
  });

  it('refuses URLs inside the operator’s network and more webhooks than the cap, and escapes what it shows again', async () => {
    const { visitor } = await visitorOf();
    for (const url of ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'https://0x7f.2/']) {
      await visitor.send(`${PAGE}/webhooks`, { url });
      expect([visitor.status, visitor.html]).toEqual([
        400,
        expect.stringContaining('Webhooks may not use this address or port.'),
      ]);
    }
    await visitor.send(`${PAGE}/webhooks`, { url: '"><script>alert(1)</script>' });
    expect([visitor.status, visitor.html.includes('<script')]).toEqual([400, false]);
    for (let index = 0; index < 5; index += 1) {
      await visitor.open(PAGE);
      await visitor.send(`${PAGE}/webhooks`, { url: `https://hooks.example/${String(index)}?<b>` });
      expect(visitor.status).toBe(200);
    }
    await visitor.open(PAGE);
    expect(visitor.html).not.toContain('name="url"');
    await visitor.send(`${PAGE}/webhooks`, { url: 'https://hooks.example/6' });
    expect([visitor.status, visitor.html]).toEqual([400, expect.stringContaining('at most 5 webhooks')]);
  });

  it('sends a test, shows why it failed, and sends it again', async () => {
    const { visitor } = await visitorOf();
    await visitor.send(`${PAGE}/test`);
    expect([visitor.status, visitor.html]).toEqual([400, expect.stringContaining('add a webhook first')]);
    await visitor.open(PAGE);
    await visitor.send(`${PAGE}/webhooks`, { url: receiver.url });
    await visitor.open(PAGE);
    receiver.answers.push(410);
    await visitor.send(`${PAGE}/test`);
    await until(20_000, 'the answer', async () => {
      await send();
      await visitor.open(PAGE);
      return visitor.html.includes('The server answered 410 Gone, and the webhook was turned off.');
    });
    const id = /name="id" value="(ntf_\w+)"/.exec(visitor.html)?.[1] ?? '';
    await visitor.send(`${PAGE}/enable`, { id: idIn(visitor.html) });
    await visitor.send(`${PAGE}/retry`, { id });
    await until(20_000, 'the delivery', async () => {
      await send();
      await visitor.open(PAGE);
      return visitor.html.includes('· Delivered<');
    });
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });

  it('knows no webhook or notification of another account', async () => {
    const [{ visitor: ada }, { visitor: bob }] = [await visitorOf(), await visitorOf()];
    await ada.send(`${PAGE}/webhooks`, { url: 'https://hooks.example/ada' });
    await ada.open(PAGE);
    const id = idIn(ada.html);
    for (const path of ['rotate', 'remove', 'enable', 'retry']) {
      await bob.open(PAGE);
      await bob.send(`${PAGE}/${path}`, { id });
      expect([path, bob.status]).toEqual([path, 400]);
    }
    await bob.open(PAGE);
    await bob.send(`${PAGE}/webhooks`, { url: 'https://hooks.example/bob', new_channel_id: id });
    expect(bob.status).toBe(400);
    await ada.open(PAGE);
    expect(ada.html).toContain('https://hooks.example/ada');
  });

  it('refuses a form of another site, and a visitor who is not signed in', async () => {
    const { visitor } = await visitorOf();
    for (const path of ['mail', 'webhooks', 'rotate', 'enable', 'remove', 'test', 'retry']) {
      await visitor.open(PAGE);
      await visitor.send(`${PAGE}/${path}`, { on: '1', url: receiver.url }, { 'sec-fetch-site': 'cross-site' });
      expect([path, visitor.status]).toEqual([path, 403]);
      const stranger = await new Visitor(service.url).open('/account/sign-in');
      await stranger.send(`${PAGE}/${path}`, { on: '1', url: receiver.url });
      expect([path, stranger.html.includes('name="password"')]).toEqual([path, true]);
    }
  });

  it.each(['en', 'zh', 'ja'])('is complete in %s', async (locale) => {
    const { visitor } = await visitorOf(service, locale);
    await visitor.send(`${PAGE}/webhooks?locale=${locale}`, { url: 'https://hooks.example/c' });
    for (const next of [null, `${PAGE}?locale=${locale}`]) {
      if (next !== null) await visitor.open(next);
      expect([visitor.status, visitor.headers['content-language']]).toEqual([200, locale]);
      // The page of the secret alone has a script: the copy button.
      const scripts = visitor.html.match(/<script src="[^"]*copy[^"]*" defer><\/script>/g) ?? [];
      expect(scripts).toHaveLength(next === null ? 1 : 0);
      const rest = visitor.html.replace(scripts[0] ?? '', '');
      expect(rest).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script|undefined/);
    }
  });

  it('offers what the operator configured, and nothing else', async () => {
    const environment = { SMTP_URL: mailbox.url, WEBHOOKS: 'off', ALERT_MAIL: 'off' };
    const closed = await startTestServer({ database, clock, environment });
    const { visitor, email } = await visitorOf(closed);
    expect(visitor.html).toContain('has switched notifications off');
    expect(visitor.html).not.toMatch(/name="url"|name="on"/);
    await visitor.open('/account/sessions');
    await visitor.send(`${PAGE}/mail`, { on: '1' });
    expect(visitor.status).toBe(400);
    await closed.server.app.get(Access, { strict: false }).deleteAccount(email);
    await closed.close();
  });
});
