import type { IncomingHttpHeaders } from 'node:http';
import type { CallerLookup, AuthenticationResult } from './caller-lookup.js';
import { OWN_CALLER } from './caller.js';
import { hashKey, isKeyText, makeKeyText } from './key-text.js';
import type { Peppers } from './peppers.js';
import { presentedKey } from './presented-key.js';

/** $1 the possible hashes of the key, one per pepper */
export const LOOK_UP = `
  SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status, k.revoked_at IS NOT NULL AS revoked,
         k.expires_at AS "expiresAt", NULL::timestamptz AS "signedUpAt"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = ANY ($1)`;

/** Verifies keys. */
export class KeyVerifier {
  private own: string | null = null;

  constructor(
    private readonly callers: CallerLookup,
    private readonly peppers: Peppers,
  ) {}

  /** Runs `work` with a key that no account has, that nobody else knows, and that is valid until `work` ends. */
  async withOwnKey(work: (key: string) => Promise<void>): Promise<void> {
    this.own = makeKeyText();
    await work(this.own).finally(() => (this.own = null));
  }

  /** Parses the headers only while there is an own key. */
  presentsOwn(headers: IncomingHttpHeaders): boolean {
    return this.own !== null && presentedKey(headers, false).text === this.own;
  }

  /** @throws ApiError `unavailable` if the key cannot be verified now */
  async identify(text: string): Promise<AuthenticationResult> {
    if (text === this.own) return { kind: 'caller', caller: OWN_CALLER };
    if (!isKeyText(text)) return { kind: 'unknown' };
    const hashes = this.peppers.all.map((pepper) => hashKey(text, pepper));
    const name = hashes[0]?.toString('base64') ?? '';
    return this.callers.find({ name, sql: LOOK_UP, parameters: [hashes] });
  }
}
