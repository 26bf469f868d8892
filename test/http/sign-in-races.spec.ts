// runs: in full only
import { AccessError } from '../../src/serve/access/accounts/access-error.js';
import { OneTimeTokens } from '../../src/serve/access/sign-in/one-time-tokens.js';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { Sessions } from '../../src/serve/access/sign-in/sessions.js';
import { SignIn } from '../../src/serve/access/sign-in/sign-in.js';
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

const [OLD, NEW, THIRD] = ['tide and moon 47', 'another tide 48', 'the third tide 49'];
const CLIENT = { name: 'Firefox', address: '198.51.100.x' };
const ROUNDS = 10;

let database: TestDatabase;
let service: TestServer;
let signIn: SignIn;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestServer({ database, environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  await service.server.app.get(AccountDatabase, { strict: false }).open();
  signIn = service.server.app.get(SignIn, { strict: false });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

let owners = 0;
/** An account with the old password, one session, and a link for a new password. */
async function owner() {
  const email = `race-${String((owners += 1))}@mail.example`;
  const { id } = await service.access.createAccount({ email, plan: 'free', signedUpAt: new Date(0) });
  const source = await database.open('admin');
  await source.query('INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, now())', [
    id,
    await new Passwords().hash(OLD),
  ]);
  const [now, link] = [() => new Date(), { purpose: 'reset', accountId: id, email, locale: 'en' } as const];
  const sessions = new Sessions(source, now);
  const session = await sessions.find(await sessions.start(source.manager, id, CLIENT));
  if (session === null) throw new Error('The session is not there');
  const token = await new OneTimeTokens(source, now).make(link);
  const byPassword = (password: string) => signIn.byPassword({ email, password, addressKey: `addr:${email}` }, CLIENT);
  const change = () => signIn.changePassword(session, { old: OLD, new: THIRD }, CLIENT);
  return { byPassword, change, reset: () => signIn.reset(token, NEW, CLIENT), sessions: () => sessions.list(id) };
}

/** Does this once, after the next password was found to be right and before anything follows from it. */
function afterVerifying(work: () => Promise<unknown>): void {
  const passwords = Object.values(
    (signIn as unknown as { readonly parts: Readonly<Record<string, unknown>> }).parts,
  ).find((part) => part instanceof Passwords);
  if (passwords === undefined) throw new Error('Nothing verifies passwords');
  const verify = passwords.verify.bind(passwords);
  passwords.verify = async (...given) => {
    passwords.verify = verify;
    const isRight = await verify(...given);
    await work();
    return isRight;
  };
}
const refusal = (code: string) => expect.objectContaining({ refusal: { code } }) as object;

describe('A new password', () => {
  it('opens no session to who sent the old one a moment before', async () => {
    const { byPassword, reset, sessions } = await owner();
    afterVerifying(reset);
    await expect(byPassword(OLD)).rejects.toEqual(refusal('wrong_credentials'));
    expect(await sessions()).toHaveLength(1);
  });

  it('is not replaced by a session that it ended a moment before', async () => {
    const { byPassword, change, reset, sessions } = await owner();
    afterVerifying(reset);
    await expect(change()).rejects.toEqual(refusal('sign_in_first'));
    expect(await sessions()).toHaveLength(1);
    await expect(byPassword(NEW)).resolves.toEqual(expect.any(String));
  });

  it('is set or refused, and never fails, if a link and a form set one at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { change, reset, sessions } = await owner();
      const results = await Promise.allSettled([change(), reset()]);
      const failures = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
      expect(failures.filter((error) => !(error instanceof AccessError))).toEqual([]);
      expect(await sessions()).toHaveLength(1);
    }
  });
});
