import { Access } from '../../src/serve/access/accounts/access.js';
import type { AccessError } from '../../src/serve/access/accounts/access-error.js';
import type { Mail } from '../../src/serve/access/accounts/mail.js';
import { OneTimeTokens } from '../../src/serve/access/sign-in/one-time-tokens.js';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { PRICES } from '../../src/serve/access/keys/prices.js';
import { Sessions } from '../../src/serve/access/sign-in/sessions.js';
import { SignIn } from '../../src/serve/access/sign-in/sign-in.js';
import { SignUp } from '../../src/serve/access/sign-in/sign-up.js';
import { LOOKUPS, Turns } from '../../src/serve/access/keys/turns.js';
import { formToken } from '../../src/people/account/account-cookie.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively, itInFull } from '../support/exhaustive.js';
import { exchange } from '../support/exchange.js';
import { countHashes, type HashCounter } from '../support/hash-counter.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { pricesAt } from '../support/prices.js';
import { startTestServer, TEST_PEPPER, type TestServer } from '../support/server.js';

const PASSWORD = 'tide and moon 47';
const HOME = { name: 'Firefox', address: '198.51.100.x' };
const AWAY = { name: 'curl', address: '203.0.113.x' };
/** The attack: so many wrong passwords, ten a second, on two instances. */
const GUESSES = exhaustively(10_000, 1_000);
const EVERY_MS = 100;
/** How often the owner signs in meanwhile. */
const OWN_SIGN_INS = 5;
/** The rule of an account from one network and day. */
const ALLOWED = PRICES.sign_in.subject.perDay;

let database: TestDatabase;
let now = new Date('2026-09-01T12:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase('figures');
});
afterAll(() => database.drop());
let hashes: HashCounter | undefined;
afterEach(() => hashes?.release());

/** Two instances share the counts of acts, as by one Redis. */
const prices = pricesAt(() => now);

/** The services of one instance, on the shared database. */
async function instance(mails: Mail[]) {
  const source = await database.open('account');
  const clock = () => now;
  const parts = {
    database: source,
    now: clock,
    passwords: new Passwords(),
    access: new Access(source, new Peppers([{ id: 'test', value: TEST_PEPPER }]), clock),
    prices,
    lookups: new Turns(LOOKUPS),
    sessions: new Sessions(source, clock),
    tokens: new OneTimeTokens(source, clock),
    sendMail: (mail: Mail) => Promise.resolve(void mails.push(mail)),
    notify: () => undefined,
    countSignIn: () => undefined,
  };
  return { signUp: new SignUp(parts), signIn: new SignIn(parts) };
}

describe('Thousands of wrong passwords from many addresses', () => {
  it('cost two instances a bounded number of hashes, and do not keep the owner out', async () => {
    const mails: Mail[] = [];
    const [one, other] = [await instance(mails), await instance(mails)];
    const email = 'victim@mail.example';
    await one.signUp.request({ email, locale: 'en', addressKey: 'addr:home' });
    await one.signUp.confirm(mails.at(-1)?.token ?? '', PASSWORD, HOME);
    const own = () => one.signIn.byPassword({ email, password: PASSWORD, addressKey: 'addr:home' }, HOME);
    hashes = countHashes();

    const refusals = new Map<string, number>();
    const guess = async (number: number, { signIn }: typeof one) => {
      const addressKey = `addr:${String(number)}`;
      const credentials = { email, password: `guess ${String(number)}`, addressKey };
      const error = await signIn.byPassword(credentials, AWAY).catch((thrown: unknown) => thrown);
      const code = (error as AccessError).refusal?.code ?? 'none';
      refusals.set(code, (refusals.get(code) ?? 0) + 1);
    };
    let entered = 0;
    for (let number = 0; number < GUESSES; number += 2) {
      now = new Date(now.getTime() + 2 * EVERY_MS);
      await Promise.all([guess(number, one), guess(number + 1, other)]);
      if (number % (GUESSES / OWN_SIGN_INS) === 0) entered += (await own()).length > 0 ? 1 : 0;
    }
    expect(entered).toBe(OWN_SIGN_INS);
    const delayed = (refusals.get('too_many_attempts') ?? 0) + (refusals.get('too_many_today') ?? 0);
    const tried = refusals.get('wrong_credentials') ?? 0;
    expect(delayed + tried).toBe(GUESSES);
    expect(tried).toBeLessThanOrEqual(ALLOWED);
    // Those of the owner, and the guesses that were allowed.
    expect(hashes.counts.verify).toBe(OWN_SIGN_INS + tried);
  });
});

describe('The cost of a request', () => {
  it('is the same number of hashes whether or not the address has an account', async () => {
    const mails: Mail[] = [];
    const { signUp, signIn } = await instance(mails);
    const known = 'known@mail.example';
    await signUp.request({ email: known, locale: 'en', addressKey: 'addr:known' });
    await signUp.confirm(mails.at(-1)?.token ?? '', PASSWORD, HOME);
    // The dummy hash is made once.
    const warmUp = { email: 'first@mail.example', password: 'x', addressKey: 'addr:first' };
    await signIn.byPassword(warmUp, AWAY).catch(() => undefined);
    const costs: { hash: number; verify: number }[] = [];
    for (const email of [known, 'unknown@mail.example']) {
      const addressKey = `addr:${email}`;
      hashes = countHashes();
      await signIn.byPassword({ email, password: 'not the password', addressKey }, AWAY).catch(() => undefined);
      await signUp.request({ email, locale: 'en', addressKey });
      costs.push(hashes.counts);
      hashes.release();
    }
    expect(costs).toEqual([
      { hash: 0, verify: 1 },
      { hash: 0, verify: 1 },
    ]);
  });
});

describe('A flood of sign-ups', () => {
  let mailbox: Mailbox;
  let service: TestServer;
  beforeAll(async () => {
    mailbox = await openMailbox();
    const environment = { SMTP_URL: mailbox.url, TRUSTED_PROXIES: '127.0.0.1' };
    service = await startTestServer({ database, environment });
  });
  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });

  const cookie = 'x'.repeat(43);
  const signUp = async (email: string, address: string): Promise<number> => {
    const { status } = await exchange(service.url, '/account/sign-up', {
      method: 'POST',
      payload: new URLSearchParams({ form: formToken(cookie), email }).toString(),
      headers: {
        cookie: `tidemark-local=${cookie}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': address,
      },
    });
    return status;
  };
  const count = async (table: string): Promise<number> => {
    const source = await database.open('admin');
    const [row] = await source.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${table}`);
    await source.destroy();
    return row?.count ?? -1;
  };

  // A flood needs a core that nothing else uses.
  itInFull('fills neither a mailbox nor the tables, and the API answers all requests meanwhile', async () => {
    const before = { accounts: await count('accounts'), tokens: await count('one_time_tokens') };
    const key = await service.key();
    const statuses: number[] = [];
    const answers: number[] = [];
    const waves = 20;
    for (let wave = 0; wave < waves; wave += 1) {
      const flood = Array.from({ length: 20 }, (_, index) =>
        signUp('mailbox@mail.example', `10.1.${String(wave)}.${String(index)}`),
      );
      const asked = Array.from({ length: 5 }, () => service.get('/api/v1/changes?limit=3', key));
      statuses.push(...(await Promise.all(flood)));
      answers.push(...(await Promise.all(asked)).map(({ status }) => status));
    }
    expect(answers).toEqual(Array.from({ length: waves * 5 }, () => 200));
    // No sign-up computes a hash, so none is asked to retry.
    expect([...new Set(statuses)]).toEqual([303]);
    expect(mailbox.count).toBe(3);
    expect(await count('one_time_tokens')).toBe(before.tokens + 3);
    // The account of the key is the only new one.
    expect(await count('accounts')).toBe(before.accounts + 1);
  });

  it('is refused from one address after five, whatever addresses it signs up', async () => {
    const statuses: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      statuses.push(await signUp(`flood-${String(number)}@mail.example`, '10.2.0.1'));
    }
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429, 429, 429, 429, 429, 429]);
    // Another address behind the same proxy is not concerned.
    expect(await signUp('flood@mail.example', '10.2.0.2')).toBe(303);
  });
});
