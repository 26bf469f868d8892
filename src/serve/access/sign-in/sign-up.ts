import type { DataSource } from 'typeorm';
import { accountOf } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { AccessError } from '../accounts/access-error.js';
import type { Access } from '../accounts/access.js';
import { audit } from '../accounts/audit-log.js';
import { readEmail } from '../accounts/email.js';
import type { NotifyOwner, SendMail } from '../accounts/mail.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { checkPassword, type Passwords } from './passwords.js';
import type { Prices } from '../keys/prices.js';
import type { Client, Sessions } from './sessions.js';
import type { Turns } from '../keys/turns.js';

export type SignInOutcome = 'accepted' | 'refused' | 'delayed';

const MAIL_RETRY_SECONDS = 60;

export interface NewSignUp {
  readonly email: string;
  readonly locale: Locale;
  /** The key under which the client's address counts. */
  readonly addressKey: string;
}

export interface SignUpParts {
  readonly database: DataSource;
  readonly access: Access;
  readonly passwords: Passwords;
  /** Of rows that people without a session ask for. */
  readonly lookups: Turns;
  readonly prices: Prices;
  readonly sessions: Sessions;
  readonly tokens: OneTimeTokens;
  readonly sendMail: SendMail;
  readonly notify: NotifyOwner;
  /** Counts sign-ins by password for the metrics. */
  readonly countSignIn: (outcome: SignInOutcome) => void;
  readonly now: () => Date;
}

/**
 * Creates an account after a mailed link has confirmed its address. The password is set behind the link, so that only
 * the owner of the mailbox knows it, also if another person signed up.
 */
export class SignUp {
  constructor(private readonly parts: SignUpParts) {}

  /**
   * Returns the same whether or not the address has an account: only a mail to the address tells.
   * @throws AccessError `mail_unavailable` if the mail server rejects the mail or does not respond
   */
  async request({ email, locale, addressKey }: NewSignUp): Promise<void> {
    const { prices, tokens } = this.parts;
    const address = readEmail(email);
    await prices.take('sign_up', { address: addressKey });
    if (!(await prices.allows('mail_sign_up', { subject: address }))) return;
    const token = { purpose: 'confirm', accountId: null, email: address, locale } as const;
    if (await this.isTaken(address)) {
      await this.mail({ to: address, kind: 'already_signed_up', locale, token: null });
    } else await this.mail({ to: address, kind: 'confirm', locale, token: await tokens.make(token) });
  }

  /** The address that a link confirms. @throws AccessError `token_invalid` */
  async addressOf(text: string): Promise<string> {
    return (await this.parts.tokens.find(text, 'confirm')).email;
  }

  /**
   * Keeps the password of an account that the operator has created since the sign-up.
   * @returns the token of a session
   * @throws AccessError `token_invalid`, `has_account`, or for the password
   */
  async confirm(text: string, password: string, client: Client): Promise<string> {
    const { database, access, passwords, prices, sessions, tokens, now } = this.parts;
    const subject = await this.addressOf(text);
    checkPassword(password, subject);
    await prices.take('set_password', { subject });
    const hash = await passwords.hash(password);
    return database.transaction(async (manager) => {
      const { email, locale, createdAt } = await tokens.consume(manager, text, 'confirm');
      const actor = { kind: 'owner', address: client.address } as const;
      const wanted = { email, plan: 'free', signedUpAt: createdAt, locale } as const;
      const { id } = await access.as(actor).createIn(manager, wanted);
      await manager.query('INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, $3)', [
        id,
        hash,
        now(),
      ]);
      await audit(manager, actor, { accountId: id, action: 'signed_in', at: now() });
      return sessions.start(manager, id, client);
    });
  }

  private async mail(mail: Parameters<SendMail>[0]): Promise<void> {
    try {
      await this.parts.sendMail(mail);
    } catch (cause) {
      const refusal = { code: 'mail_unavailable', retryAfterSeconds: MAIL_RETRY_SECONDS } as const;
      throw new AccessError('The mail cannot be sent now', refusal, { cause });
    }
  }

  private async isTaken(email: string): Promise<boolean> {
    const { database, lookups } = this.parts;
    return (await lookups.run('other', () => accountOf(database, 'email', email))) !== null;
  }
}
