// runs: in full only
import type { DataSource } from 'typeorm';
import { OPERATOR } from '../../src/serve/access/accounts/audit-log.js';
import { NotificationSender } from '../../src/people/notifications/notification-sender.js';
import { Notifications } from '../../src/people/notifications/notifications.js';
import { Outbox, type Lane } from '../../src/people/notifications/outbox.js';
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { forDelivery } from '../../src/store/account-scope.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/** More than an instance has slots for webhooks. */
const DEAD = 40;
const WEBHOOKS: Lane = { kind: 'webhook', answered: null, slots: 16 };

describe('Receivers that never answer', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  let dead: Receiver;
  let healthy: Receiver;
  let service: TestServer;
  let accounts: DataSource;
  let owner: DataSource;
  const clock = new StoppedClock('2027-03-01T12:00:00Z');
  let people = 0;

  beforeAll(async () => {
    [database, mailbox, dead, healthy] = [
      await createTestDatabase(),
      await openMailbox(),
      await openReceiver(),
      await openReceiver(),
    ];
    const environment = { SMTP_URL: mailbox.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
    service = await startTestServer({ database, clock, environment });
    await service.server.app.get(AccountDatabase, { strict: false }).open();
    [accounts, owner] = [await database.open('account'), await database.open('admin')];
  });
  afterAll(async () => {
    await service.close();
    for (const one of [mailbox, dead, healthy]) await one.close();
    await database.drop();
  });
  afterEach(() => owner.query('DELETE FROM accounts'));

  const own = () => service.server.app.get(Notifications, { strict: false }).as(OPERATOR);
  const sender = () => service.server.app.get(NotificationSender, { strict: false });
  const outbox = () => new Outbox(forDelivery(accounts), () => new Date(clock.wall()));
  const account = async () => {
    people += 1;
    const email = `owner-${String(people)}@own.example`;
    return (await service.access.createAccount({ email, plan: 'pro', signedUpAt: new Date(0) })).id;
  };
  const hook = async (url: string) => {
    const accountId = await account();
    return { accountId, ...(await own().addWebhook(accountId, url)) };
  };
  /** Notifications that are due now, as if they had been so for a while. */
  const due = (channelId: string, count = 1) =>
    owner.query(
      `INSERT INTO notifications (channel_id, created_at, next_attempt_at)
       SELECT $1, $2, $2 FROM generate_series(1, $3)`,
      [channelId, new Date(clock.wall() - 1_000), count],
    );

  it('delay neither mail nor the webhooks of those that do', async () => {
    const good = await hook(healthy.url);
    await own().sendTest(good.accountId);
    await until(20_000, 'the first test', async () => {
      await sender().run();
      return healthy.requests.length === 1;
    });
    for (let index = 0; index < DEAD; index += 1) {
      dead.answers.push(() => undefined);
      await due((await hook(dead.url)).channelId, 3);
    }
    const reader = await account();
    await own().setMail(reader, true);
    await own().sendTest(reader);
    await own().sendTest(good.accountId);
    void sender().run();
    // Half of the time that an attempt at a dead receiver takes, at most.
    await until(2_500, 'the webhook and the mail', () =>
      Promise.resolve(healthy.requests.length === 2 && mailbox.count === 1),
    );
    expect(dead.requests.length).toBeLessThan(DEAD);
  });

  it('do not hide an account behind a thousand due notifications of another', async () => {
    const [many, few] = [await hook(dead.url), await hook(dead.url)];
    await due(many.channelId, 1_001);
    clock.advance(1_000);
    await due(few.channelId);
    const claimed = await outbox().claim(WEBHOOKS, [], 16);
    expect(claimed.map(({ channel }) => channel.accountId).sort()).toEqual([many.accountId, few.accountId].sort());
  });

  it('come after accounts that took less time lately', async () => {
    const [slow, quick] = [await hook(dead.url), await hook(dead.url)];
    await due(slow.channelId);
    await due(quick.channelId);
    const spent = new Map([[slow.accountId, 30]]);
    const claimed = await outbox().claim(WEBHOOKS, [], 1, spent);
    expect(claimed.map(({ channel }) => channel.accountId)).toEqual([quick.accountId]);
  });

  it('are tried once by a test', async () => {
    const { accountId } = await hook(dead.url);
    await own().sendTest(accountId);
    const [batch] = await outbox().claim(WEBHOOKS, [], 16);
    expect(await outbox().finish(batch!.channel, batch!.notifications, { error: 'timeout' })).toBe(1);
    expect((await own().recent(accountId, 1))[0]).toMatchObject({ state: 'dead', lastError: 'timeout' });
  });

  it('pause their channel after three time-outs in a row, and lose nothing', async () => {
    const { accountId, channelId } = await hook(dead.url);
    const attempt = async (result: { error: 'timeout' | null; status?: number }) => {
      const [batch] = await outbox().claim(WEBHOOKS, [], 16);
      if (batch === undefined) return null;
      return outbox().finish(batch.channel, batch.notifications, result);
    };
    await own().sendTest(accountId);
    await due(channelId, 6);
    for (let index = 0; index < 3; index += 1) expect(await attempt({ error: 'timeout' })).not.toBeNull();
    const [paused] = await own().channels(accountId);
    expect(paused?.pausedUntil?.getTime()).toBe(clock.wall() + 3_600_000);
    expect(await attempt({ error: null })).toBeNull();
    clock.advance(3_600_000);
    expect(await attempt({ error: 'timeout' })).not.toBeNull();
    expect(await attempt({ error: null })).toBeNull();
    await own().enable(accountId, channelId);
    expect(await attempt({ error: null, status: 204 })).toBe(0);
    expect((await own().channels(accountId))[0]?.pausedUntil).toBeNull();
    const states = (await own().recent(accountId, 10)).map(({ state }) => state);
    const count = (state: string) => states.filter((one) => one === state).length;
    // Tests are tried once; what the pause kept is still to be sent.
    expect([count('dead'), count('delivered'), count('pending')]).toEqual([4, 1, 2]);
  });
});
