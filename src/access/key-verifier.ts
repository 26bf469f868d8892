import type { CallerLookup, AuthenticationResult } from './caller-lookup.js';
import { hashKey, isKeyText } from './key-text.js';
import type { Peppers } from './peppers.js';

/** $1 the possible hashes of the key, one per pepper */
export const LOOK_UP = `
  SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status, k.revoked_at IS NOT NULL AS revoked,
         k.expires_at AS "expiresAt", NULL::timestamptz AS "signedUpAt"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = ANY ($1)`;

/** Verifies keys. */
export class KeyVerifier {
  constructor(
    private readonly callers: CallerLookup,
    private readonly peppers: Peppers,
  ) {}

  /** @throws ApiError `unavailable` if the key cannot be verified now */
  async identify(text: string): Promise<AuthenticationResult> {
    if (!isKeyText(text)) return { kind: 'unknown' };
    const hashes = this.peppers.all.map((pepper) => hashKey(text, pepper));
    const name = hashes[0]?.toString('base64') ?? '';
    return this.callers.find({ name, sql: LOOK_UP, parameters: [hashes] });
  }
}
