// runs: on two instances
import type { AccessError } from '../../src/serve/access/accounts/access-error.js';
import { Access } from '../../src/serve/access/accounts/access.js';
import { listAudit } from '../../src/serve/access/accounts/audit-log.js';
import { isLive } from '../../src/serve/access/keys/key-rules.js';
import type { Mail } from '../../src/serve/access/accounts/mail.js';
import { OneTimeTokens } from '../../src/serve/access/sign-in/one-time-tokens.js';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { Sessions } from '../../src/serve/access/sign-in/sessions.js';
import { SignIn } from '../../src/serve/access/sign-in/sign-in.js';
import { SignUp } from '../../src/serve/access/sign-in/sign-up.js';
import { LOOKUPS, Turns } from '../../src/serve/access/keys/turns.js';
import { PLAN_TERMS } from '../../src/domain/plans/plans.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { pricesAt } from '../support/prices.js';
import { TEST_PEPPER } from '../support/server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAR = new Date('9999-01-01');
const PASSWORD = 'tide and moon 47';
const HOME = { name: 'Firefox', address: '198.51.100.x' };
const AWAY = { name: 'curl', address: '203.0.113.x' };

let database: TestDatabase;
let now = new Date('2026-09-01T12:00:00Z');
const mails: Mail[] = [];
const pass = (ms: number) => (now = new Date(now.getTime() + ms));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  // Each test begins with reset limits.
  pass(30 * DAY_MS);
  mails.splice(0);
});

/** Two instances share the counts of acts, as by one Redis. */
const prices = pricesAt(() => now);

/** The services of one instance, on the shared database. */
async function instance() {
  const source = await database.open('account');
  const clock = () => now;
  const access = new Access(source, new Peppers([{ id: 'test', value: TEST_PEPPER }]), clock);
  const parts = {
    database: source,
    access,
    passwords: new Passwords(),
    prices,
    lookups: new Turns(LOOKUPS),
    sessions: new Sessions(source, clock),
    tokens: new OneTimeTokens(source, clock),
    sendMail: (mail: Mail) => Promise.resolve(void mails.push(mail)),
    notify: () => undefined,
    countSignIn: () => undefined,
    now: clock,
  };
  return { ...parts, source, signUp: new SignUp(parts), signIn: new SignIn(parts) };
}

let one: Awaited<ReturnType<typeof instance>>;
let other: typeof one;
beforeAll(async () => {
  [one, other] = [await instance(), await instance()];
});

let owners = 0;
const newEmail = () => `person-${String(++owners)}@mail.example`;
const request = (email: string, addressKey = `addr:${email}`) =>
  one.signUp.request({ email, locale: 'en', addressKey });
const confirm = (token = mails.at(-1)?.token ?? '', password = PASSWORD) => one.signUp.confirm(token, password, HOME);
async function signedUp(email = newEmail(), password = PASSWORD) {
  await request(email);
  return { email, cookie: await confirm(undefined, password) };
}
const signIn = (email: string, password: string, client = HOME, from = one, addressKey = `addr:${client.address}`) =>
  from.signIn.byPassword({ email, password, addressKey }, client);
const refusal = (code: string) =>
  expect.objectContaining({ refusal: expect.objectContaining({ code }) as object }) as object;

describe('A sign-up', () => {
  it('creates no account before its address is confirmed, and each link works once', async () => {
    const email = newEmail();
    await request(email);
    expect(mails).toMatchObject([{ to: email, kind: 'confirm' }]);
    await expect(one.access.findAccount(email)).rejects.toThrow('There is no account');
    const token = mails[0]?.token ?? '';
    expect(await one.signUp.addressOf(token)).toBe(email);
    const cookie = await confirm(token);
    expect(await other.sessions.find(cookie)).toMatchObject({ email, plan: 'free', locale: 'en' });
    await expect(confirm(token)).rejects.toEqual(refusal('token_invalid'));
  });

  it('notifies only the mailbox if the address has an account', async () => {
    const { email } = await signedUp();
    await expect(request(email.toUpperCase())).resolves.toBeUndefined();
    expect(mails.at(-1)).toMatchObject({ to: email, kind: 'already_signed_up', token: null });
  });

  it('has a link that expires after a day', async () => {
    await request(newEmail());
    pass(DAY_MS);
    await expect(confirm()).rejects.toEqual(refusal('token_invalid'));
  });

  it.each([
    ['password_short', 'short one'],
    ['password_long', 'é'.repeat(129)],
    ['password_common', 'Qwertyuiop'],
    ['password_common', 'aaaaaaaaaaaa'],
    ['password_common', 'Self@Mail.Example'],
  ])('sets no weak password, and its link stays valid: %s', async (code, password) => {
    await request('self@mail.example');
    await expect(confirm(undefined, password)).rejects.toEqual(refusal(code));
    pass(DAY_MS / 2);
    expect(await one.signUp.addressOf(mails.at(-1)?.token ?? '')).toBe('self@mail.example');
  });

  it('never opens by the password of a stranger who signed up with the address', async () => {
    const email = newEmail();
    await request(email, 'addr:stranger');
    await request(email, 'addr:owner');
    const [strangers = '', owners = ''] = mails.map(({ token }) => token ?? '');
    // The two mails are alike, so whichever is opened, only its reader sets a password.
    await one.signUp.confirm(strangers, PASSWORD, HOME);
    await expect(confirm(owners, 'the other mail 1')).rejects.toEqual(refusal('has_account'));
    await expect(signIn(email, PASSWORD)).resolves.toEqual(expect.any(String));
    await expect(signIn(email, 'the other mail 1')).rejects.toEqual(refusal('wrong_credentials'));
  });

  it('is of one mailbox however its domain is spelt, also for the database', async () => {
    const { email } = await signedUp('Ann@bücher.example');
    expect(email).toBe('Ann@bücher.example');
    const { id } = await one.access.findAccount('ann@xn--bcher-kva.example');
    for (const spelt of ['ann@BÜCHER.example', 'ann@bücher。example', 'ａｎｎ@bu\u0308cher.example.']) {
      expect((await one.access.findAccount(spelt)).id).toBe(id);
      await expect(signIn(spelt, PASSWORD)).resolves.toEqual(expect.any(String));
      await request(spelt);
      expect(mails.at(-1)).toMatchObject({ to: 'ann@xn--bcher-kva.example', kind: 'already_signed_up' });
      pass(3_600_000);
    }
    const admin = await database.open('admin');
    for (const spelt of ['ann@bücher.example', 'ann@xn--bcher-kva.example.', 'ａnn@xn--bcher-kva.example']) {
      const insert = `INSERT INTO accounts (id, email, plan, status, signed_up_at) VALUES ('acc_x', $1, 'free', 'active', now())`;
      await expect(admin.query(insert, [spelt])).rejects.toThrow(/accounts_email_spelling/);
    }
  });

  it('is slowed down on every instance when one address sends many, and fills no mailbox', async () => {
    const email = newEmail();
    for (let count = 0; count < 5; count += 1) await request(email, 'addr:flood');
    expect(mails).toHaveLength(3);
    const again = { email: newEmail(), locale: 'en', addressKey: 'addr:flood' } as const;
    await expect(other.signUp.request(again)).rejects.toEqual(refusal('too_many_attempts'));
    pass(3_600_000);
    await expect(other.signUp.request(again)).resolves.toBeUndefined();
  });
});

describe('A password', () => {
  it('is verified in its normal form, with the same refusal for known and unknown addresses', async () => {
    const { email } = await signedUp(newEmail(), 'Caf\u00e9 au lait 1');
    await expect(signIn(email, 'Cafe\u0301 au lait 1')).resolves.toEqual(expect.any(String));
    await expect(signIn(email, 'Cafe au lait 1')).rejects.toEqual(refusal('wrong_credentials'));
    await expect(signIn('nobody@mail.example', 'x')).rejects.toEqual(refusal('wrong_credentials'));
  });

  it('leaves one audit row of its failures for each network in a minute', async () => {
    const { email } = await signedUp();
    const { id } = await one.access.findAccount(email);
    for (const client of [AWAY, AWAY, HOME]) await signIn(email, 'a guess', client).catch(() => undefined);
    await signIn('nobody@mail.example', 'a guess', AWAY).catch(() => undefined);
    const rows = async () =>
      (await listAudit(one.source, id, 10))
        .filter(({ action }) => action === 'sign_in_failed')
        .map(({ actor, address }) => [actor, address]);
    expect(await rows()).toEqual([
      ['unknown', HOME.address],
      ['unknown', AWAY.address],
    ]);
    pass(60_001);
    await signIn(email, 'a guess', AWAY).catch(() => undefined);
    expect(await rows()).toHaveLength(3);
  });

  it('resists guesses from many addresses on two instances, without locking the owner out', async () => {
    const { email } = await signedUp();
    const codes: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const from = count % 2 === 0 ? one : other;
      await signIn(email, `guess ${String(count)}`, AWAY, from, `addr:${String(count)}`).catch((error: unknown) =>
        codes.push((error as AccessError).refusal?.code ?? 'none'),
      );
    }
    expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(10);
    expect(codes.slice(10).every((code) => code === 'too_many_attempts')).toBe(true);
    await expect(signIn(email, PASSWORD)).resolves.toEqual(expect.any(String));
    await expect(signIn(email, PASSWORD, AWAY, one, 'addr:new')).rejects.toEqual(refusal('too_many_attempts'));
    pass(60_001);
    await expect(signIn(email, PASSWORD, AWAY, other, 'addr:new')).resolves.toEqual(expect.any(String));
  });

  it('can be reset by a link that works once, which ends all other sessions', async () => {
    const { email, cookie } = await signedUp();
    for (const address of [email, 'nobody@mail.example']) {
      await (
        await one.signIn.requestLink('reset', address, 'addr:a')
      ).mailed;
    }
    expect(mails.slice(1)).toMatchObject([{ to: email, kind: 'reset' }]);
    const token = mails.at(-1)?.token ?? '';
    await expect(one.signIn.reset(token, email.toUpperCase(), HOME)).rejects.toEqual(refusal('password_common'));
    const renewed = await one.signIn.reset(token, 'a very new password', HOME);
    expect(await other.sessions.find(cookie)).toBeNull();
    expect(await other.sessions.find(renewed)).toMatchObject({ email });
    await expect(one.signIn.reset(token, 'yet another password', HOME)).rejects.toEqual(refusal('token_invalid'));
    await expect(signIn(email, PASSWORD)).rejects.toEqual(refusal('wrong_credentials'));
  });
});

describe('A session', () => {
  it('expires after an idle day, and after two weeks in any case', async () => {
    const { email, cookie } = await signedUp();
    pass(DAY_MS);
    expect(await one.sessions.find(cookie)).toBeNull();
    const used = await signIn(email, PASSWORD);
    for (let days = 1; days <= 20; days += 1) {
      pass(DAY_MS * 0.7);
      await one.sessions.find(used);
    }
    expect(await one.sessions.find(used)).toBeNull();
  });

  it('is stored as a hash only, and ends at once on every instance', async () => {
    const { cookie } = await signedUp();
    const owner = await other.sessions.find(cookie);
    if (owner === null) throw new Error('The session is not there');
    const admin = await database.open('admin');
    const rows = await admin.query<{ row: string }[]>('SELECT s::text AS row FROM account_sessions s');
    expect(rows.some(({ row }) => row.includes(cookie))).toBe(false);
    await other.signIn.end(owner, owner.sessionId, HOME.address);
    expect(await one.sessions.find(cookie)).toBeNull();
  });
});

describe('An account', () => {
  it('renews neither the requests of its day nor its day of waiting by deletion and a new sign-up', async () => {
    const { email } = await signedUp();
    const { id, signedUpAt } = await one.access.findAccount(email);
    pass(6 * 3_600_000);
    const today = now.toISOString().slice(0, 10);
    const admin = await database.open('admin');
    await admin.query('INSERT INTO daily_usage (account_id, day, admitted) VALUES ($1, $2, 399)', [id, today]);
    await one.access.deleteAccount(email);
    const left = await admin.query<{ row: string }[]>(
      'SELECT f::text AS row FROM former_accounts f UNION ALL SELECT e::text FROM audit_events e',
    );
    expect(left.some(({ row }) => row.includes(email))).toBe(false);
    await signedUp(email);
    const again = await one.access.findAccount(email);
    expect(again.id).not.toBe(id);
    expect(again.signedUpAt).toEqual(signedUpAt);
    const used: unknown = await admin.query('SELECT admitted FROM daily_usage WHERE account_id = $1', [again.id]);
    expect(used).toEqual([{ admitted: 399 }]);
  });

  it('has an audit log of its changes, with their actor and origin', async () => {
    const { email } = await signedUp();
    const { id } = await one.access.findAccount(email);
    pass(DAY_MS);
    const owned = one.access.as({ kind: 'owner', address: HOME.address });
    const { key } = await owned.createKey(email, 'laptop');
    await owned.revokeKey(key.id);
    await one.access.setStatus(email, 'suspended');
    const events = await listAudit(one.source, id, 10);
    expect(events.map(({ action, actor, subject }) => [action, actor, subject])).toEqual([
      ['account_suspended', 'operator', null],
      ['key_revoked', 'owner', key.id],
      ['key_created', 'owner', key.id],
      ['signed_in', 'owner', null],
      ['account_created', 'owner', null],
    ]);
  });
});

describe('A rotated key', () => {
  const cap = PLAN_TERMS.pro.liveKeys;
  const invariants = async (email: string, ends: Date | null) => {
    const live = (await one.access.listKeys(email)).filter((key) => isLive(key, now));
    expect(live.length).toBeLessThanOrEqual(cap);
    for (const { expiresAt } of live) expect((expiresAt ?? FAR) <= (ends ?? FAR)).toBe(true);
    return live.length;
  };
  async function withKey(expiresAt: Date | null = null) {
    const { email } = await signedUp();
    await one.access.setPlan(email, 'pro');
    const { key } = await one.access.createKey(email, 'one', expiresAt);
    return { email, key };
  }

  it('keeps its name and its life, and stays valid for the grace period', async () => {
    const ends = new Date(now.getTime() + 30 * DAY_MS);
    const { email, key } = await withKey(ends);
    const { key: next } = await one.access.rotateKey(email, key.id, HOUR_MS);
    expect(next).toMatchObject({ name: 'one', expiresAt: ends, replaces: key.id });
    const old = (await one.access.listKeys(email)).find(({ id }) => id === key.id);
    expect(old?.expiresAt).toEqual(new Date(now.getTime() + HOUR_MS));
    await invariants(email, ends);
  });

  it('has one successor, whose rotation waits until the old key has ended', async () => {
    const { email, key } = await withKey();
    const { key: next } = await one.access.rotateKey(email, key.id, 7 * DAY_MS);
    await expect(one.access.rotateKey(email, key.id, HOUR_MS)).rejects.toEqual(refusal('key_replaced'));
    for (const grace of [HOUR_MS, 0]) {
      await expect(one.access.rotateKey(email, next.id, grace)).rejects.toEqual(refusal('key_predecessor'));
    }
    await one.access.revokeKey(key.id);
    await expect(one.access.rotateKey(email, next.id, HOUR_MS)).resolves.toBeDefined();
    expect(await invariants(email, null)).toBe(2);
  });

  it('counts towards the cap beside its successor, and at the cap is replaced at once or not at all', async () => {
    const { email, key } = await withKey();
    for (let count = 1; count < cap; count += 1) await one.access.createKey(email, 'more');
    await expect(one.access.rotateKey(email, key.id, HOUR_MS)).rejects.toEqual(refusal('key_cap'));
    await expect(one.access.rotateKey(email, key.id, 0)).resolves.toBeDefined();
    expect(await invariants(email, null)).toBe(cap);
  });

  it('is followed by at most four others in an hour', async () => {
    const { email, key } = await withKey(new Date(now.getTime() + DAY_MS));
    const ends = key.expiresAt;
    let { id } = key;
    for (let count = 0; count < 5; count += 1) {
      id = (await (count % 2 === 0 ? one : other).access.rotateKey(email, id, 0)).key.id;
      await invariants(email, ends);
      pass(60_000);
    }
    const refused = one.access.rotateKey(email, id, 0);
    await expect(refused).rejects.toEqual(refusal('too_many_attempts'));
    await expect(refused).rejects.toMatchObject({ refusal: { retryAfterSeconds: 55 * 60 } });
    pass(55 * 60_000);
    await expect(one.access.rotateKey(email, id, 0)).resolves.toBeDefined();
  });

  it('moves the access version if it ends soon, and not if instances read it again before', async () => {
    const admin = await database.open('admin');
    const version = async () =>
      (await admin.query<{ version: number }[]>('SELECT version FROM access_version'))[0]?.version;
    const { email, key } = await withKey();
    const endIn = (interval: string) =>
      admin.query(`UPDATE api_keys SET expires_at = now() + $2::interval WHERE id = $1`, [key.id, interval]);
    const before = await version();
    await endIn('1 hour');
    expect(await version()).toBe(before);
    await endIn('9 minutes');
    expect(await version()).not.toBe(before);
    expect(email).toMatch(/@/);
  });
});
