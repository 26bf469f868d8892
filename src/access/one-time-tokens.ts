import type { DataSource, EntityManager } from 'typeorm';
import type { Locale } from '../locale/locale.js';
import { AccessError } from './access-error.js';
import { hashToken, randomToken } from './sessions.js';

/** The purposes of links in mails; each link works once. */
export type TokenPurpose = 'confirm' | 'reset' | 'sign_in';

/** A confirmation carries the sign-up, every other token its account. */
export interface OneTimeToken {
  readonly purpose: TokenPurpose;
  readonly accountId: string | null;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly locale: Locale;
  readonly createdAt: Date;
}

const LIFE_MS: Readonly<Record<TokenPurpose, number>> = {
  confirm: 24 * 3_600_000,
  reset: 3_600_000,
  sign_in: 3_600_000,
};

export class OneTimeTokens {
  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
  ) {}

  async make(token: Omit<OneTimeToken, 'createdAt'>): Promise<string> {
    const text = randomToken();
    const now = this.now();
    await this.database.query(
      `INSERT INTO one_time_tokens
         (hash, purpose, account_id, email, password_hash, locale, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[hashToken(text), token.purpose, token.accountId, token.email, token.passwordHash, token.locale],
        ...[now, new Date(now.getTime() + LIFE_MS[token.purpose])],
      ],
    );
    return text;
  }

  /**
   * Consumes the token.
   * @throws AccessError `token_invalid` if it is unknown, used, expired or of another purpose
   */
  async consume(on: EntityManager, text: string, purpose: TokenPurpose): Promise<OneTimeToken> {
    const [[token]] = await on.query<[OneTimeToken[], number]>(
      `DELETE FROM one_time_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > $3
       RETURNING purpose, account_id AS "accountId", email, password_hash AS "passwordHash", locale,
         created_at AS "createdAt"`,
      [hashToken(text), purpose, this.now()],
    );
    if (token === undefined) {
      throw new AccessError('The link was already used or has expired', { code: 'token_invalid' });
    }
    return token;
  }
}
