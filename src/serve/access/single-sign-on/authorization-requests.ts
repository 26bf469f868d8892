import type { DataSource } from 'typeorm';
import { withCredential } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { AccessError } from '../accounts/access-error.js';
import { hashToken, randomToken } from '../sign-in/sessions.js';

/** `confirm`: the owner signs in again before an action that cannot be undone. */
export type RequestPurpose = 'sign_in' | 'link' | 'confirm';

/** A request to the OpenID provider whose response the service still expects. */
export interface AuthorizationRequest {
  readonly purpose: RequestPurpose;
  /** The account of the session that began; null for a sign-in. */
  readonly accountId: string | null;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly locale: Locale;
  readonly createdAt: Date;
}

const LIFE_MS = 10 * 60_000;

/** Authorization requests, each bound to the cookie of the browser that began and consumed once. */
export class AuthorizationRequests {
  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
  ) {}

  /** @returns the `state`; the database stores its hash alone */
  async make(
    { purpose, accountId, locale }: Pick<AuthorizationRequest, 'purpose' | 'accountId' | 'locale'>,
    cookie: string,
  ): Promise<AuthorizationRequest & { readonly state: string }> {
    const [state, nonce, codeVerifier] = [randomToken(), randomToken(), randomToken()];
    const createdAt = this.now();
    const hash = hashToken(state);
    await withCredential(this.database, hash, (manager) =>
      manager.query(
        `INSERT INTO authorization_requests
           (state_hash, cookie_hash, purpose, account_id, nonce, code_verifier, locale, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          hash,
          hashToken(cookie),
          purpose,
          accountId,
          nonce,
          codeVerifier,
          locale,
          createdAt,
          new Date(createdAt.getTime() + LIFE_MS),
        ],
      ),
    );
    return { purpose, accountId, locale, nonce, codeVerifier, createdAt, state };
  }

  /**
   * Consumes the request. The browser of another cookie consumes nothing, so that a stolen `state` ends no sign-in.
   * @throws AccessError `sso_expired` if it is unknown, used, expired or of another browser
   */
  async consume(state: string, cookie: string): Promise<AuthorizationRequest> {
    const hash = hashToken(state);
    const [[request]] = await withCredential(this.database, hash, (manager) =>
      manager.query<[AuthorizationRequest[], number]>(
        `DELETE FROM authorization_requests WHERE state_hash = $1 AND cookie_hash = $2 AND expires_at > $3
         RETURNING purpose, account_id AS "accountId", nonce, code_verifier AS "codeVerifier", locale,
           created_at AS "createdAt"`,
        [hash, hashToken(cookie), this.now()],
      ),
    );
    if (request === undefined) {
      throw new AccessError('The authorization request was used already or has expired', { code: 'sso_expired' });
    }
    return request;
  }
}
