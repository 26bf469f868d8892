import type { DataSource } from 'typeorm';
import type { Locale } from '../locale/locale.js';
import { AccessError } from './access-error.js';
import type { Access } from './access.js';
import { audit } from './audit-log.js';
import type { AttemptLimiter } from './attempt-limiter.js';
import { readEmail } from './email.js';
import type { SendMail } from './mail.js';
import type { OneTimeTokens } from './one-time-tokens.js';
import { checkPassword, type Passwords } from './passwords.js';
import type { Client, Sessions } from './sessions.js';

/** Per client address (an IPv6 network of 64 bits): five sign-ups, then one an hour. */
export const SIGN_UPS = { burst: 5, everyMs: 3_600_000 };
/** Per e-mail address: three such mails, then one in twenty minutes. */
export const MAILS = { burst: 3, everyMs: 20 * 60_000 };

const MAIL_RETRY_SECONDS = 60;

export interface NewSignUp {
  readonly email: string;
  readonly password: string;
  readonly locale: Locale;
  /** The key under which the client's address counts. */
  readonly addressKey: string;
}

export interface SignUpParts {
  readonly database: DataSource;
  readonly access: Access;
  readonly passwords: Passwords;
  readonly limiter: AttemptLimiter;
  readonly sessions: Sessions;
  readonly tokens: OneTimeTokens;
  readonly sendMail: SendMail;
  readonly now: () => Date;
}

/** Creates an account after a mailed link has confirmed its address. */
export class SignUp {
  constructor(private readonly parts: SignUpParts) {}

  /**
   * Returns the same whether or not the address has an account: only a mail to the address tells.
   * @throws AccessError `mail_unavailable` if the mail server rejects the mail or does not respond
   */
  async request({ email, password, locale, addressKey }: NewSignUp): Promise<void> {
    const { limiter, passwords, tokens } = this.parts;
    const address = readEmail(email);
    checkPassword(password, address);
    await limiter.take(`sign-up ${addressKey}`, SIGN_UPS);
    const passwordHash = await passwords.hash(password);
    if (!(await limiter.allows(`mail ${address}`, MAILS))) return;
    const token = { purpose: 'confirm', accountId: null, email: address, passwordHash, locale } as const;
    if (await this.isTaken(address)) {
      await this.mail({ to: address, kind: 'already_signed_up', locale, token: null });
    } else await this.mail({ to: address, kind: 'confirm', locale, token: await tokens.make(token) });
  }

  /**
   * Keeps the password of an account that the operator has created since the sign-up: another person may have signed up.
   * @returns the token of a session
   * @throws AccessError `token_invalid`, `has_account`
   */
  confirm(text: string, client: Client): Promise<string> {
    const { database, access, sessions, tokens, now } = this.parts;
    return database.transaction(async (manager) => {
      const { email, passwordHash, locale, createdAt } = await tokens.consume(manager, text, 'confirm');
      const actor = { kind: 'owner', address: client.address } as const;
      const wanted = { email: email ?? '', plan: 'free', signedUpAt: createdAt, locale } as const;
      const { id } = await access.as(actor).createIn(manager, wanted);
      await manager.query(
        'INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, $3)',
        [id, passwordHash, now()],
      );
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
    const rows = await this.parts.database.query<object[]>('SELECT 1 FROM accounts WHERE email = $1', [
      email,
    ]);
    return rows.length > 0;
  }
}
