import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { DataSource } from 'typeorm';
import { OPERATOR } from '../../src/serve/access/accounts/audit-log.js';
import { NotificationSender } from '../../src/people/notifications/notification-sender.js';
import { Notifications } from '../../src/people/notifications/notifications.js';
import { LANES, LEASE_MS, MOST_ATTEMPTS, Outbox } from '../../src/people/notifications/outbox.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { forDelivery } from '../../src/store/account-scope.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { moreAlerts, ownerOf } from '../support/own.js';
import { openReceiver, type ReceivedRequest, type Receiver } from '../support/receiver.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const [MAIL, UNPROVEN] = [LANES[0]!, LANES[2]!];
const JAPAN = { type: 'series', key: 'gdp-growth@JP', metric: 'any_change' } as const;

interface Sent {
  readonly type: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string } | null;
    readonly event: { readonly headline: string; readonly changeId: string; readonly sources: string[] } | null;
  };
  readonly meta: { readonly sources: { readonly id: string; readonly attribution: string }[] };
}

let database: TestDatabase;
let admin: DataSource | undefined;
let mailbox: Mailbox;
let receiver: Receiver;
/** Two instances on one database. */
let services: [TestServer, TestServer];
// Later than the publications of the template, and after the year whose figure is published.
const clock = new StoppedClock('2027-03-01T12:00:00Z');

const start = async () => {
  const environment = { SMTP_URL: mailbox.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  const service = await startTestServer({ database, clock, environment });
  await service.server.app.get(AccountDatabase, { strict: false }).open();
  return service;
};
beforeAll(async () => {
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  services = [await start(), await start()];
});
afterAll(async () => {
  for (const service of services) await service.close();
  await mailbox.close();
  await database.drop();
});
beforeEach(async () => {
  await sql('DELETE FROM accounts');
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const of = <T>(type: new (...parameters: never[]) => T, index: 0 | 1 = 0): T =>
  services[index].server.app.get<T>(type, { strict: false });
const own = () => of(Notifications).as(OPERATOR);
const sql = async <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> => {
  admin ??= await database.open('admin');
  return admin.query<Row[]>(text, parameters);
};

let people = 0;
async function owner(name = 'Japan grows') {
  people += 1;
  const made = await ownerOf(services[0], `owner-${String(people)}`);
  const { email } = made;
  const { id: accountId } = await services[0].access.findAccount(email);
  return { email, accountId, alertId: (await made.alert({ ...JAPAN, name })).id };
}
async function subscriber(name?: string) {
  const made = await owner(name);
  return { ...made, ...(await own().addWebhook(made.accountId, receiver.url)) };
}

let published = 0;
/**
 * Publishes one change of the series, a day from now.
 * @param beforeDue runs before the clock is there: until then, no instance sends
 */
async function publish(beforeDue: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  published += 1;
  const figures = { 'gdp-growth JP': { '2026': `${String(published)}.5` } };
  const now = new Date(clock.wall() + DAY_MS);
  const delivery = deliveryOf(now.toISOString().slice(0, 10), { figures });
  await importFiles(await database.open('import'), OWN, [delivery], { accept: 'a test', now: () => now });
  await beforeDue();
  clock.advance(DAY_MS);
}

/** Lets both instances send until it is so; their timers may send as well. */
const sent = (what: string, isSo: () => boolean | Promise<boolean>) =>
  until(20_000, what, async () => {
    await Promise.all([of(NotificationSender, 0).run(), of(NotificationSender, 1).run()]);
    return isSo();
  });
const statesOf = async (accountId: string) =>
  (await own().recent(accountId, 50)).map(({ state, lastError }) => [state, lastError]);
const settled = (accountId: string) =>
  sent('the outbox', async () => (await statesOf(accountId)).every(([state]) => state !== 'pending'));
const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body) as Sent;
const idOf = ({ headers }: ReceivedRequest) => String(headers['webhook-id']);

/** As a receiver verifies it at the time of the service. */
function verify(secret: string, { body, headers }: ReceivedRequest): unknown {
  jest.useFakeTimers({ now: clock.wall() });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    jest.useRealTimers();
  }
}

describe('An alert that fires', () => {
  it('arrives at the webhook of its owner, signed, with its sources, once', async () => {
    const { secret, alertId, accountId } = await subscriber();
    await publish();
    await settled(accountId);
    const [request, ...more] = receiver.requests;
    if (request === undefined) throw new Error('nothing arrived');
    expect(more).toEqual([]);
    expect(verify(secret, request)).toEqual(JSON.parse(request.body));
    expect(() => verify(secret.replace(/.{6}$/, 'AAAAA='), request)).toThrow();
    const { type, data, meta } = bodyOf(request);
    expect([type, data.alert?.id, data.alert?.name]).toEqual(['alert.fired', alertId, 'Japan grows']);
    expect(data.event?.headline).toMatch(/^Japan: real GDP growth/);
    expect(meta.sources.map(({ id }) => id).sort()).toEqual(data.event?.sources.toSorted());
    expect(meta.sources.map(({ attribution }) => attribution).join()).toContain('World Bank');
    expect(services.flatMap(({ lines }) => lines).join('\n')).not.toContain(secret);
  });

  it('is mailed in the language of the account, several at once in one mail, with a way to end it', async () => {
    const { email, accountId } = await owner('日本の成長率');
    const others = await moreAlerts(sql, accountId, 2);
    await sql(`UPDATE accounts SET locale = 'ja' WHERE id = $1`, [accountId]);
    await own().setMail(accountId, true);
    const before = mailbox.count;
    await publish();
    await settled(accountId);
    expect(mailbox.count).toBe(before + 1);
    const { to, text, head } = mailbox.newest();
    expect(to).toBe(email);
    // One change, with the name of each alert on it.
    expect(text.match(/^アラート：/gm)).toHaveLength(1 + others);
    expect(text.match(/^http\S+\/changes\//gm)).toHaveLength(1);
    expect(text).toContain('日本の2026年の実質GDP成長率');
    expect(text).toContain('世界銀行「世界開発指標」（CC BY 4.0）');
    expect(text).toMatch(/^http:\S+\/changes\/chg_\S+\?locale=ja$/m);
    expect(head).toMatch(/^List-Unsubscribe: <http:\S+\/account\/notifications\?locale=ja>/m);
    await own().setMail(accountId, false);
    await publish();
    await settled(accountId);
    expect(mailbox.count).toBe(before + 1);
  });

  it('cannot add a line to the header of a mail by its name', async () => {
    const { accountId, alertId, email } = await owner();
    // As if both checks of names had a hole.
    await sql('ALTER TABLE alerts DROP CONSTRAINT alerts_name_one_line');
    await sql('UPDATE alerts SET name = $2 WHERE id = $1', [alertId, 'x\r\nBcc: evil@mail.example\r\n\r\n<b>']);
    await own().setMail(accountId, true);
    await publish();
    await settled(accountId);
    const { to, head } = mailbox.newest();
    expect(to).toBe(email);
    expect(head).not.toMatch(/^Bcc/im);
    expect(head).toMatch(/^Subject: x Bcc: evil@mail\.example <b>: Japan/m);
  });

  it('is notified to nobody whose account is suspended, and not at all once its change is withdrawn', async () => {
    const suspended = await subscriber();
    await services[0].access.setStatus(suspended.email, 'suspended');
    const { accountId, alertId } = await subscriber();
    await publish(async () => {
      const EVENTS = 'SELECT change_id AS change FROM alert_events WHERE alert_id = $1';
      const [event] = await sql<{ change: string }>(EVENTS, [alertId]);
      await withdrawChange(await database.open('import'), event?.change ?? '', 'wrong', () => new Date(clock.wall()));
    });
    await settled(accountId);
    expect(await statesOf(accountId)).toEqual([['dead', 'withdrawn']]);
    expect(await statesOf(suspended.accountId)).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });
});

describe('A webhook', () => {
  it('is sent again later and less often, under the same id, until its receiver accepts it', async () => {
    const { accountId } = await subscriber();
    receiver.answers.push(500, (_request, response) => response.destroy());
    await publish();
    await sent('the first attempt', () => receiver.requests.length === 1);
    await of(NotificationSender).run();
    expect(receiver.requests).toHaveLength(1);
    const waits: number[] = [];
    for (const attempt of [2, 3]) {
      const [{ nextAttemptAt } = { nextAttemptAt: new Date(0) }] = await own().recent(accountId, 1);
      waits.push(nextAttemptAt.getTime() - clock.wall());
      clock.advance(nextAttemptAt.getTime() - clock.wall());
      await sent('the next attempt', () => receiver.requests.length === attempt);
    }
    await settled(accountId);
    expect(waits[0]).toBeGreaterThanOrEqual(12_000);
    expect(waits[1]).toBeGreaterThan(2 * (waits[0] ?? Infinity));
    expect(await statesOf(accountId)).toEqual([['delivered', null]]);
    expect(new Set(receiver.requests.map(idOf)).size).toBe(1);
  });

  it('is dead after its receiver failed for about a day, until the owner sends it again', async () => {
    const { accountId } = await subscriber();
    receiver.answers.push(...Array.from({ length: MOST_ATTEMPTS }, () => 503));
    await publish();
    const from = clock.wall();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await sent('an attempt', () => receiver.requests.length === attempt);
      await sent('its result', async () => (await own().recent(accountId, 1))[0]?.lastError === 'status');
      const [{ nextAttemptAt } = { nextAttemptAt: new Date(0) }] = await own().recent(accountId, 1);
      if (attempt < MOST_ATTEMPTS) clock.advance(nextAttemptAt.getTime() - clock.wall());
    }
    await settled(accountId);
    expect(clock.wall() - from).toBeGreaterThan(18 * HOUR_MS);
    clock.advance(30 * HOUR_MS);
    await of(NotificationSender).run();
    const [dead] = await own().recent(accountId, 1);
    expect([dead?.state, dead?.lastError, dead?.lastStatus]).toEqual(['dead', 'status', 503]);
    expect(receiver.requests).toHaveLength(MOST_ATTEMPTS);
    await own().retry(accountId, dead?.id ?? '');
    await settled(accountId);
    expect(await statesOf(accountId)).toEqual([['delivered', null]]);
    await expect(own().retry(accountId, dead?.id ?? '')).rejects.toThrow(/No dead notification/);
  });

  it('is turned off by 410, until its owner enables it', async () => {
    const { accountId, channelId } = await subscriber();
    receiver.answers.push(410);
    await publish();
    await settled(accountId);
    await publish();
    expect(await statesOf(accountId)).toEqual([['dead', 'gone']]);
    expect((await own().channels(accountId))[0]?.disabledAt).toEqual(new Date(clock.wall() - DAY_MS));
    await own().enable(accountId, channelId);
    await publish();
    await settled(accountId);
    expect(receiver.requests).toHaveLength(2);
  });

  it('follows no redirect of its receiver, even to itself', async () => {
    const { accountId } = await subscriber();
    receiver.answers.push((_request, response) => response.writeHead(307, { location: receiver.url }).end());
    await publish();
    await sent('the attempt', async () => (await own().recent(accountId, 1))[0]?.lastError === 'redirected');
    expect(receiver.requests).toHaveLength(1);
  });

  it('does not wait for the slow receiver of another account', async () => {
    const subscribers = [await subscriber(), await subscriber()];
    const held: ServerResponse[] = [];
    receiver.answers.push((_request, response) => held.push(response));
    await publish();
    void of(NotificationSender).run();
    await until(10_000, 'both', () => Promise.resolve(receiver.requests.length === 2));
    const signed = subscribers.map((one) => receiver.requests.filter((request) => isSignedBy(one.secret, request)));
    expect(signed.map(({ length }) => length)).toEqual([1, 1]);
    for (const response of held) response.writeHead(204).end();
    for (const { accountId } of subscribers) await settled(accountId);
  });
});

/** The queue as another instance sees it, this much later. */
const queueIn = async (ms: number) =>
  new Outbox(forDelivery(await database.open('account')), () => new Date(clock.wall() + ms));

describe('Two instances', () => {
  it('never share the notifications of one mail', async () => {
    const { accountId } = await owner();
    const others = await moreAlerts(sql, accountId, 400);
    await own().setMail(accountId, true);
    const outboxes = [await queueIn(DAY_MS), await queueIn(DAY_MS)];
    await publish(async () => {
      const claimed = await Promise.all(outboxes.map((outbox) => outbox.claim(MAIL, [], 16)));
      expect(claimed.flat().map(({ notifications }) => notifications.length)).toEqual([1 + others]);
    });
  });

  it('deliver each notification once', async () => {
    const accounts = [];
    for (let index = 0; index < 12; index += 1) accounts.push(await subscriber());
    await publish();
    await Promise.all(accounts.map(({ accountId }) => settled(accountId)));
    expect(receiver.requests).toHaveLength(12);
    expect(new Set(receiver.requests.map(idOf)).size).toBe(12);
  });

  it('deliver what a killed one had claimed, after its lease', async () => {
    const { accountId } = await subscriber();
    const ahead = await queueIn(DAY_MS);
    // A killed instance leaves only an unfinished claim.
    await publish(async () => expect(await ahead.claim(UNPROVEN, [], 16)).toHaveLength(1));
    await of(NotificationSender).run();
    expect([receiver.requests.length, await statesOf(accountId)]).toEqual([0, [['pending', null]]]);
    clock.advance(LEASE_MS);
    await settled(accountId);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('The outbox', () => {
  it('reports for how long its oldest notification has been due, of the channels that are configured', async () => {
    await subscriber();
    const outbox = await queueIn(DAY_MS + HOUR_MS);
    await publish(async () => {
      expect([await outbox.lateness(['webhook']), await outbox.lateness(['email'])]).toEqual([3_600, 0]);
    });
  });
});

describe('The secret of a webhook', () => {
  it('signs beside its successor until the end of the rotation', async () => {
    const { accountId, channelId, secret } = await subscriber();
    const next = await own().rotateSecret(accountId, channelId, 48 * HOUR_MS);
    await expect(own().rotateSecret(accountId, channelId, HOUR_MS)).rejects.toThrow(/has not ended/);
    for (const [index, old] of [true, false, false].entries()) {
      await publish();
      await settled(accountId);
      const request = receiver.requests[index];
      if (request === undefined) throw new Error('nothing arrived');
      expect([isSignedBy(next.secret, request), isSignedBy(secret, request)]).toEqual([true, old]);
    }
    const last = await own().rotateSecret(accountId, channelId, 0);
    await publish();
    await settled(accountId);
    const [newest] = receiver.requests.slice(-1);
    if (newest === undefined) throw new Error('nothing arrived');
    expect([isSignedBy(last.secret, newest), isSignedBy(next.secret, newest)]).toEqual([true, false]);
  });

  it('is nowhere in the database', async () => {
    const { secret, channelId } = await subscriber();
    const rows = await sql<{ text: string }>('SELECT c::text FROM notification_channels c WHERE id = $1', [channelId]);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
    expect(rows).toHaveLength(1);
    for (const form of [secret, bytes, Buffer.from(secret).toString('hex')]) {
      expect(JSON.stringify(rows)).not.toContain(form);
    }
  });
});

describe('A test of an alert', () => {
  it('is marked as a test, reaches every channel of its owner, and is limited', async () => {
    const { accountId, alertId } = await subscriber();
    const other = await subscriber();
    await own().setMail(accountId, true);
    expect(await own().sendTest(accountId, alertId)).toBe(2);
    await settled(accountId);
    const [request] = receiver.requests;
    expect(request && bodyOf(request)).toMatchObject({
      type: 'alert.test',
      data: { alert: { id: alertId }, event: null },
    });
    expect(mailbox.newest().text).toContain('This is a test of the alert “Japan grows”.');
    await expect(own().sendTest(accountId, other.alertId)).rejects.toThrow(/There is no alert/);
    for (let index = 0; index < 4; index += 1) await own().sendTest(accountId);
    await expect(own().sendTest(accountId)).rejects.toThrow(/Too many attempts/);
  });
});

function isSignedBy(secret: string, request: ReceivedRequest): boolean {
  try {
    return verify(secret, request) !== undefined;
  } catch {
    return false;
  }
}
