// runs: in full only
import { OPERATOR } from '../../src/serve/access/accounts/audit-log.js';
import { NotificationSender } from '../../src/people/notifications/notification-sender.js';
import { Notifications } from '../../src/people/notifications/notifications.js';
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startProcess, until } from '../support/processes.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { untilWaiting } from '../support/until.js';

const HOUR_MS = 3_600_000;
const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };

describe('A webhook whose process ends, or that is removed', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let service: TestServer;
  let clock: StoppedClock;

  beforeEach(async () => {
    [database, receiver] = [await createTestDatabase(), await openReceiver()];
    // Behind the process, so that this instance leaves it what is due now.
    clock = new StoppedClock(new Date(Date.now() - HOUR_MS).toISOString());
    service = await startTestServer({ database, clock, environment });
    await service.server.app.get(AccountDatabase, { strict: false }).open();
  });
  afterEach(async () => {
    await service.close();
    await receiver.close();
    await database.drop();
  });

  it.each([['SIGKILL'], ['SIGTERM']] as const)(
    'is left to another process after %s, under the same id',
    async (signal) => {
      const { id } = await service.access.createAccount({
        email: 'ada@own.example',
        plan: 'pro',
        signedUpAt: new Date(0),
      });
      const own = service.server.app.get(Notifications, { strict: false }).as(OPERATOR);
      const { channelId } = await own.addWebhook(id, receiver.url);
      const running = await startProcess(database, environment);
      const isCut = new Promise<void>((resolve) => {
        receiver.answers.push((request) => request.socket.once('close', () => resolve()));
      });
      const accounts = await database.open('admin');
      await accounts.query(
        'INSERT INTO notifications (channel_id, created_at, next_attempt_at) VALUES ($1, now(), now())',
        [channelId],
      );
      await until(30_000, 'the first attempt', () => Promise.resolve(receiver.requests.length === 1));
      const { code } = await running.signal(signal);
      expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
      await isCut;
      expect((await own.recent(id, 1))[0]?.state).toBe('pending');
      clock.advance(2 * HOUR_MS);
      const sender = service.server.app.get(NotificationSender, { strict: false });
      await until(30_000, 'the delivery', async () => {
        await sender.run();
        return (await own.recent(id, 1))[0]?.state === 'delivered';
      });
      expect(receiver.requests).toHaveLength(2);
      expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      await running.stop();
    },
  );

  it('tests no webhook that another form removes meanwhile', async () => {
    const email = 'eve@own.example';
    const { id } = await service.access.createAccount({ email, plan: 'pro', signedUpAt: new Date(0) });
    const own = service.server.app.get(Notifications, { strict: false }).as(OPERATOR);
    await own.addWebhook(id, receiver.url);
    const admin = await database.open('admin');
    let tested: Promise<unknown> = Promise.resolve();
    await admin.transaction(async (manager) => {
      await manager.query('DELETE FROM notification_channels');
      tested = own.sendTest(id).catch(String);
      await untilWaiting((text) => manager.query(text));
    });
    expect(await tested).toContain('There is no channel to test');
  });
});
