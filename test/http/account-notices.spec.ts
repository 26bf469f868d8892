import { Access } from '../../src/serve/access/accounts/access.js';
import { Metrics } from '../../src/serve/metrics/metrics.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const PASSWORD = 'tide and moon 47';
const NEW_PASSWORD = 'moon and tide 74';

let database: TestDatabase;
let mailbox: Mailbox;
let service: TestServer;

beforeAll(async () => {
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  const environment = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'service@tidemark.example',
    NODE_ENV: 'production',
    KEY_PEPPER: 'test:only-for-tests-0001',
    WEBHOOKS: 'on',
    WEBHOOK_ALLOWED_NETWORKS: '203.0.113.0/24',
  };
  service = await startTestServer({ database, environment });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
  await database.drop();
});

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? '';

async function signUp(locale: string) {
  const email = `told-${locale}@mail.example`;
  const visitor = await new Visitor(service.url).open(`/account/sign-up?locale=${locale}`);
  await visitor.send(`/account/sign-up?locale=${locale}`, { email });
  const token = tokenIn(mailbox.newest(email).text);
  await visitor.open(`/account/confirm?token=${token}&locale=${locale}`);
  await visitor.send(`/account/confirm?locale=${locale}`, { token, password: PASSWORD });
  await service.server.app.get(Access, { strict: false }).setPlan(email, 'pro');
  await visitor.open(`/account?locale=${locale}`);
  return { email, visitor };
}

describe.each([
  ['en', 'The key “desk” was created', 'A webhook to 203.0.113.9', 'password of your Tidemark account was changed'],
  ['zh', '创建密钥“desk”', '添加发往203.0.113.9的Webhook', '账户密码已于'],
  ['ja', 'キー「desk」が作成されました', '203.0.113.9宛てのWebhook', 'パスワードが変更されました'],
])('The owner, in %s', (locale, ofKey, ofWebhook, ofPassword) => {
  it('is told by mail of each new key and webhook, and of a new password, without a secret', async () => {
    const { email, visitor } = await signUp(locale);
    const told = async (text: string) => {
      await until(10_000, text, () => Promise.resolve(mailbox.newest(email).text.includes(text)));
      expect(mailbox.newest(email).text).toMatch(/20\d\d-\d\d-\d\d \d\d:\d\d UTC/);
      expect(mailbox.newest(email).text).toContain('127.0.0.x');
      expect(mailbox.newest(email).text).not.toMatch(/tm_|whsec|hook-path|undefined|\{/);
    };
    await visitor.open('/account/keys/new');
    await visitor.send('/account/keys/new', { name: 'desk' });
    await told(ofKey);
    const before = mailbox.count;
    const [key] = await service.access.listKeys(email);
    await visitor.open(`/account/keys/one?id=${key?.id ?? ''}`);
    await visitor.send('/account/keys/rotate', { id: key?.id ?? '' });
    expect(visitor.status).toBe(200);
    await until(10_000, 'the mail of the rotation', () => Promise.resolve(mailbox.count > before));
    await told(ofKey);
    await visitor.open('/account/notifications');
    await visitor.send('/account/notifications/webhooks', { url: 'https://203.0.113.9/hook-path' });
    await told(ofWebhook);
    await visitor.open('/account/password');
    await visitor.send('/account/password', { old: PASSWORD, password: NEW_PASSWORD });
    await told(ofPassword);

    await visitor.open('/account/forgotten');
    await visitor.send('/account/forgotten', { email });
    await until(10_000, 'the link', () => Promise.resolve(tokenIn(mailbox.newest(email).text) !== ''));
    const token = tokenIn(mailbox.newest(email).text);
    await visitor.open(`/account/reset?token=${token}`);
    await visitor.send('/account/reset', { token, password: email });
    expect(visitor.status).toBe(400);
    await visitor.send('/account/reset', { token, password: PASSWORD });
    await told(ofPassword);
  });
});

describe('The operator', () => {
  it('sees sign-ins by outcome in the metrics', async () => {
    const { email, visitor } = await signUp('other');
    for (const password of ['a guess', PASSWORD]) {
      await visitor.open('/account/sign-in');
      await visitor.send('/account/sign-in', { email, password });
    }
    const metrics = await service.server.app.get(Metrics).registry.metrics();
    for (const [outcome, least] of [
      ['accepted', 1],
      ['refused', 1],
      ['delayed', 0],
    ] as const) {
      const [, count = '-1'] = new RegExp(`sign_ins_total{outcome="${outcome}"} (\\d+)`).exec(metrics) ?? [];
      expect({ outcome, isCounted: Number(count) >= least }).toEqual({ outcome, isCounted: true });
    }
  });

  it('is warned at the start in production if BASE_URL is plain http', () => {
    expect(service.lines.join('\n')).toContain('BASE_URL is not https');
  });
});
