import type { EntityManager } from 'typeorm';
import { accountOf, asAccount, noneIfOrphaned } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { AccessError } from '../accounts/access-error.js';
import { audit, type AuditAction } from '../accounts/audit-log.js';
import { normalizeEmail, readEmail } from '../accounts/email.js';
import type { NotifyOwner } from '../accounts/mail.js';
import { checkPassword } from './passwords.js';
import type { Act, PayerOf } from '../keys/prices.js';
import type { Client, SignedIn, SignInProof } from './sessions.js';
import type { SignUpParts } from './sign-up.js';
import type { TurnRank } from '../keys/turns.js';

/** How long a fresh sign-in at the provider confirms actions that cannot be undone. */
const CONFIRMED_MS = 5 * 60_000;
/** After a successful sign-in, the owner's network has a limit of its own for this long. */
const KNOWN_MS = 90 * 24 * 3_600_000;

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly addressKey: string;
}

interface Found {
  readonly id: string;
  readonly locale: Locale;
  readonly hash: string | null;
  readonly isKnown: boolean;
}

/** Signs owners in by password or by a link in a mail. */
export class SignIn {
  constructor(private readonly parts: SignUpParts) {}

  /**
   * @returns the token of a session
   * @throws AccessError `wrong_credentials`, also for an unknown address
   */
  async byPassword({ email, password, addressKey }: Credentials, client: Client): Promise<string> {
    const { countSignIn, passwords } = this.parts;
    const address = normalizeEmail(email);
    await this.takeAttempt('sign_in', { address: addressKey, subject: `${address} ${client.address}` });
    const found = await this.find(address, client, 'sign_in');
    const isKnown = found?.isKnown === true;
    // Strangers who guess a password slow each other down, but not the owner.
    if (!isKnown) await this.takeAttempt('sign_in_elsewhere', { subject: address });
    const isRight = await passwords.verify(found?.hash ?? null, password, isKnown ? 'known' : 'sign_in');
    if (!isRight || found === null) {
      countSignIn('refused');
      if (found !== null) await this.recordFailure(found.id, client);
      throw wrongCredentials();
    }
    const session = await this.inTurn(found.id, async (manager) => {
      // While the password was being verified, a new one may have ended every session.
      const same = 'SELECT FROM account_passwords WHERE account_id = $1 AND hash = $2';
      const rows = await manager.query<object[]>(same, [found.id, found.hash]);
      if (rows.length === 0) throw wrongCredentials();
      return this.start(manager, found.id, client);
    });
    countSignIn('accepted');
    return session;
  }

  /**
   * Mails a link for a new password, or one that signs in, if the address has an account; the result does not reveal
   * whether it has.
   * @returns before the account is looked up, because the response time would reveal it; `mailed` settles at the end
   */
  async requestLink(
    purpose: 'reset' | 'sign_in',
    email: string,
    addressKey: string,
  ): Promise<{ readonly mailed: Promise<void> }> {
    const address = readEmail(email);
    await this.parts.prices.take('request_mail', { address: addressKey });
    return { mailed: this.mailLink(purpose, address) };
  }

  private async mailLink(purpose: 'reset' | 'sign_in', address: string): Promise<void> {
    const { prices, tokens, sendMail } = this.parts;
    const mayMail = await prices.allows(`mail_${purpose}`, { subject: address });
    const found = await this.find(address, null, 'other');
    if (found === null || !mayMail) return;
    const { id: accountId, locale } = found;
    const token = await tokens.make({ purpose, accountId, email: address, locale }).catch(noneIfOrphaned);
    if (token !== null) await sendMail({ to: address, kind: purpose, locale, token });
  }

  /**
   * Ends every session but the new one.
   * @throws AccessError `token_invalid`, or for the password
   */
  async reset(text: string, password: string, client: Client): Promise<string> {
    const { passwords, prices, tokens } = this.parts;
    const owner = await tokens.find(text, 'reset');
    checkPassword(password, owner.email);
    await prices.take('set_password', { subject: owner.email });
    const hash = await passwords.hash(password);
    const session = await this.inTurn(owner.accountId, async (manager, accountId) => {
      await tokens.consume(manager, text, 'reset');
      return this.setPassword(manager, accountId, hash, client);
    });
    this.notifyOfPassword(owner, client);
    return session;
  }

  async byLink(text: string, client: Client): Promise<string> {
    const { accountId: owner } = await this.parts.tokens.find(text, 'sign_in');
    return this.inTurn(owner, async (manager, accountId) => {
      await this.parts.tokens.consume(manager, text, 'sign_in');
      return this.start(manager, accountId, client);
    });
  }

  /**
   * Ends every session but the new one.
   * @returns the new session's token
   * @throws AccessError `sign_in_first` if another new password has ended this session meanwhile
   */
  async changePassword(
    owner: SignedIn,
    passwordsGiven: { readonly old: string; readonly new: string },
    client: Client,
  ): Promise<string> {
    const { passwords } = this.parts;
    checkPassword(passwordsGiven.new, owner.email);
    await this.verify(owner, passwordsGiven.old);
    const hash = await passwords.hash(passwordsGiven.new);
    const session = await this.inTurn(owner.accountId, async (manager) => {
      const open = 'SELECT FROM account_sessions WHERE id = $1';
      const rows = await manager.query<object[]>(open, [owner.sessionId]);
      if (rows.length === 0) throw new AccessError('The session has ended', { code: 'sign_in_first' });
      return this.setPassword(manager, owner.accountId, hash, client);
    });
    this.notifyOfPassword(owner, client);
    return session;
  }

  /** Whether the owner of an account without a password has just signed in again at the provider. */
  isConfirmed({ hasPassword, confirmedAt }: SignedIn): boolean {
    if (hasPassword || confirmedAt === null) return false;
    return this.parts.now().getTime() - confirmedAt.getTime() < CONFIRMED_MS;
  }

  /**
   * Confirms an action that cannot be undone: by the password, or without one by a fresh sign-in at the provider.
   * @throws AccessError `wrong_credentials`, `confirm_first`
   */
  async verify(owner: SignedIn, password: string): Promise<void> {
    if (this.isConfirmed(owner)) return;
    const { email, sessionId, hasPassword, issuer } = owner;
    if (!hasPassword && issuer !== null) {
      throw new AccessError('Sign in again at the provider first', { code: 'confirm_first' });
    }
    await this.parts.prices.take('confirm_password', { subject: sessionId });
    const found = await this.find(email, null, 'known');
    if (!(await this.parts.passwords.verify(found?.hash ?? null, password, 'known'))) throw wrongCredentials();
  }

  async end(owner: SignedIn, sessionId: string, address: string): Promise<void> {
    const { database, sessions, now } = this.parts;
    const { accountId } = owner;
    if (!(await sessions.end(accountId, sessionId))) return;
    const action: AuditAction = sessionId === owner.sessionId ? 'signed_out' : 'session_ended';
    const event = { accountId, action, at: now(), subject: sessionId };
    await asAccount(database, accountId, (manager) => audit(manager, { kind: 'owner', address }, event));
  }

  /** A new session in the caller's transaction. */
  async start(on: EntityManager, accountId: string, client: Client, proof?: SignInProof): Promise<string> {
    const { sessions, now } = this.parts;
    const actor = { kind: 'owner', address: client.address } as const;
    await audit(on, actor, { accountId, action: 'signed_in', at: now() });
    return sessions.start(on, accountId, client, proof);
  }

  /** Locks the account first: no two calls wait for each other, and a new password ends every earlier session. */
  private inTurn<T>(accountId: string | null, work: (on: EntityManager, accountId: string) => Promise<T>): Promise<T> {
    if (accountId === null) throw new Error('The token has no account');
    return asAccount(this.parts.database, accountId, async (manager) => {
      await manager.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      return work(manager, accountId);
    });
  }

  /** Ends every session; returns the token of a new one. */
  private async setPassword(on: EntityManager, accountId: string, hash: string, client: Client): Promise<string> {
    const at = this.parts.now();
    await on.query(
      `INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
      [accountId, hash, at],
    );
    await on.query('DELETE FROM account_sessions WHERE account_id = $1', [accountId]);
    await on.query('DELETE FROM one_time_tokens WHERE account_id = $1', [accountId]);
    const actor = { kind: 'owner', address: client.address } as const;
    await audit(on, actor, { accountId, action: 'password_changed', at });
    return this.start(on, accountId, client);
  }

  private notifyOfPassword(owner: Parameters<NotifyOwner>[0], { address }: Client): void {
    this.parts.notify(owner, { kind: 'password_changed', at: this.parts.now(), address });
  }

  private async takeAttempt<A extends Act>(act: A, payer: PayerOf<A>): Promise<void> {
    await this.parts.prices.take(act, payer).catch((error: unknown) => {
      this.parts.countSignIn('delayed');
      throw error;
    });
  }

  /** Few rows for each network, so that guesses do not fill the owner's page; the metric counts all. */
  private async recordFailure(accountId: string, { address }: Client): Promise<void> {
    const { database, prices, now } = this.parts;
    if (!(await prices.allows('failed_sign_in_row', { subject: `${accountId} ${address}` }))) return;
    const event = { accountId, action: 'sign_in_failed', at: now() } as const;
    await asAccount(database, accountId, (manager) => audit(manager, { kind: 'unknown', address }, event));
  }

  private async find(email: string, client: Client | null, rank: TurnRank): Promise<Found | null> {
    const { database, lookups, now } = this.parts;
    // An unknown address takes the same statements as a known one.
    const [found] = await lookups.run(rank, async () => {
      const id = (await accountOf(database, 'email', email)) ?? '';
      return asAccount(database, id, (manager) =>
        manager.query<Found[]>(
          `SELECT a.id, a.locale, p.hash, EXISTS (
           SELECT FROM audit_events e WHERE e.account_id = a.id AND e.action = 'signed_in' AND e.address = $2 AND e.at > $3) AS "isKnown"
         FROM accounts a LEFT JOIN account_passwords p ON p.account_id = a.id WHERE a.id = $1`,
          [id, client?.address ?? null, new Date(now().getTime() - KNOWN_MS)],
        ),
      );
    });
    return found ?? null;
  }
}

function wrongCredentials(): AccessError {
  return new AccessError('The e-mail address or the password is wrong', { code: 'wrong_credentials' });
}
