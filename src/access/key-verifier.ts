import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.js';
import type { Clock } from '../config/clock.js';
import type { Heartbeat } from '../database/heartbeat.js';
import type { Read } from '../database/snapshots.js';
import type { Plan } from '../plans/plans.js';
import type { Caller } from './caller.js';
import { hashKey, isKeyText } from './key-text.js';
import type { Peppers } from './peppers.js';

/** The result of verifying a key. */
export type Identity =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'suspended'; readonly caller: Caller }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'unknown' };

interface CachedIdentity {
  readonly identity: Identity;
  readonly version: number;
  readonly verifiedAt: number;
  /** Milliseconds since the epoch; infinite if the key does not expire. */
  readonly expiresAt: number;
}

interface KeyRow {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
  readonly revoked: boolean;
  readonly expiresAt: Date | null;
}

/** $1 the possible hashes of the key, one per pepper */
export const LOOK_UP = `
  SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status, k.revoked_at IS NOT NULL AS revoked,
         k.expires_at AS "expiresAt"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = ANY ($1)`;

/** How long a verified key stays valid without the primary. */
const CUT_OFF_MS = 60_000;
/** An older heartbeat is not trusted while the primary responds. */
const FRESH_MS = 1_000;

/**
 * Verifies keys. Results are cached by access version: when it moves, every key is looked up again, so a revocation
 * takes effect on every instance within one heartbeat. Without the primary, verified keys stay valid for a minute.
 */
export class KeyVerifier {
  private readonly cached = new LRUCache<string, CachedIdentity>({ max: 50_000 });

  constructor(
    private readonly read: Read,
    private readonly heartbeat: Heartbeat,
    private readonly peppers: Peppers,
    private readonly clock: Pick<Clock, 'monotonic' | 'wall'>,
  ) {}

  /** @throws ApiError `unavailable` if the key cannot be verified now */
  async identify(text: string): Promise<Identity> {
    if (!isKeyText(text)) return { kind: 'unknown' };
    const hashes = this.peppers.all.map((pepper) => hashKey(text, pepper));
    const name = hashes[0]?.toString('base64') ?? '';
    const cached = this.cached.get(name);
    const { accessVersion } = this.heartbeat.latest;
    if (cached?.version === accessVersion && this.heartbeat.age <= FRESH_MS) return this.atThisTime(cached);
    if (this.heartbeat.lost) return this.withoutPrimary(cached);
    return this.lookUp(name, hashes, accessVersion).catch(() => this.withoutPrimary(cached));
  }

  private async lookUp(name: string, hashes: readonly Buffer[], version: number): Promise<Identity> {
    const askedAt = this.clock.monotonic();
    const [row] = await this.read<KeyRow>(LOOK_UP, [hashes]);
    const identity = identityOf(row);
    const expiresAt = row?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    const verified = { identity, version, verifiedAt: askedAt, expiresAt };
    // Unknown keys are not cached: guesses must not evict keys in use.
    if (identity.kind !== 'unknown') this.cached.set(name, verified);
    return this.atThisTime(verified);
  }

  /** An expired key gets the response of a revoked one. */
  private atThisTime({ identity, expiresAt }: CachedIdentity): Identity {
    return this.clock.wall() < expiresAt ? identity : { kind: 'revoked' };
  }

  private withoutPrimary(cached: CachedIdentity | undefined): Identity {
    if (cached !== undefined && this.confirmedAge(cached) <= CUT_OFF_MS) return this.atThisTime(cached);
    throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  /** A heartbeat with the same version confirms every result cached under it. */
  private confirmedAge(cached: CachedIdentity): number {
    const own = this.clock.monotonic() - cached.verifiedAt;
    return cached.version === this.heartbeat.latest.accessVersion ? Math.min(own, this.heartbeat.age) : own;
  }
}

function identityOf(row: KeyRow | undefined): Identity {
  if (row === undefined) return { kind: 'unknown' };
  if (row.revoked) return { kind: 'revoked' };
  const { accountId, keyId, plan } = row;
  return { kind: row.status === 'active' ? 'caller' : 'suspended', caller: { accountId, keyId, plan } };
}
