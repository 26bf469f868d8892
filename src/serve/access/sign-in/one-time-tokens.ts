import type { DataSource, EntityManager } from 'typeorm';
import { enterScope, withCredential } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { AccessError } from '../accounts/access-error.js';
import { hashToken, randomToken } from './sessions.js';
import { LOOKUPS, Turns } from '../keys/turns.js';

/** The purposes of links in mails; each link works once. */
export type TokenPurpose = 'confirm' | 'reset' | 'sign_in';

/** The account is null in a confirmation, which creates it. */
export interface OneTimeToken {
  readonly purpose: TokenPurpose;
  readonly accountId: string | null;
  readonly email: string;
  readonly locale: Locale;
  readonly createdAt: Date;
}

const LIFE_MS: Readonly<Record<TokenPurpose, number>> = {
  confirm: 24 * 3_600_000,
  reset: 3_600_000,
  sign_in: 3_600_000,
};

const COLUMNS = 'purpose, account_id AS "accountId", email, locale, created_at AS "createdAt"';
/** $1 the hash, $2 the purpose, $3 now */
const VALID = 'FROM one_time_tokens WHERE hash = $1 AND purpose = $2 AND expires_at > $3';

export class OneTimeTokens {
  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
    private readonly lookups = new Turns(LOOKUPS),
  ) {}

  async make({ purpose, accountId, email, locale }: Omit<OneTimeToken, 'createdAt'>): Promise<string> {
    const text = randomToken();
    const now = this.now();
    const expiresAt = new Date(now.getTime() + LIFE_MS[purpose]);
    const hash = hashToken(text);
    await withCredential(this.database, hash, (manager) =>
      manager.query(
        `INSERT INTO one_time_tokens (hash, purpose, account_id, email, locale, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [hash, purpose, accountId, email, locale, now, expiresAt],
      ),
    );
    return text;
  }

  /** Leaves the token valid. @throws as `consume` */
  async find(text: string, purpose: TokenPurpose): Promise<OneTimeToken> {
    const hash = hashToken(text);
    const [token] = await this.lookups.run('other', () =>
      withCredential(this.database, hash, (manager) =>
        manager.query<OneTimeToken[]>(`SELECT ${COLUMNS} ${VALID}`, [hash, purpose, this.now()]),
      ),
    );
    return validToken(token);
  }

  /**
   * Consumes the token.
   * @throws AccessError `token_invalid` if it is unknown, used, expired or of another purpose
   */
  async consume(on: EntityManager, text: string, purpose: TokenPurpose): Promise<OneTimeToken> {
    const hash = hashToken(text);
    await enterScope(on, 'credential', hash.toString('hex'));
    const [[token]] = await on.query<[OneTimeToken[], number]>(`DELETE ${VALID} RETURNING ${COLUMNS}`, [
      hash,
      purpose,
      this.now(),
    ]);
    return validToken(token);
  }
}

function validToken(token: OneTimeToken | undefined): OneTimeToken {
  if (token !== undefined) return token;
  throw new AccessError('The link was already used or has expired', { code: 'token_invalid' });
}
