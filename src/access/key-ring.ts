import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors/api-error.js';
import type { Pulse } from '../database/pulse.js';
import type { Read } from '../database/snapshots.js';
import type { Plan } from '../plans/plans.js';
import type { Caller } from './call-context.js';
import { hashKey, isKeyText } from './key-text.js';
import type { Peppers } from './peppers.js';

/** What a key turned out to be. */
export type Identity =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'suspended'; readonly caller: Caller }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'unknown' };

interface Held {
  readonly identity: Identity;
  readonly epoch: number;
  readonly verifiedAt: number;
}

interface KeyRow {
  readonly keyId: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
  readonly revoked: boolean;
}

/** $1 the hashes that the key may have, one a pepper */
export const LOOK_UP = `
  SELECT k.id AS "keyId", a.id AS "accountId", a.plan, a.status, k.revoked_at IS NOT NULL AS revoked
  FROM api_keys k JOIN accounts a ON a.id = k.account_id
  WHERE k.hash = ANY ($1)`;

/** Longest that a key which was verified is honoured without the primary. */
const CUT_OFF_MS = 60_000;
/** Older than this, what the pulse said is not believed while the primary can be asked. */
const FRESH_MS = 1_000;

/**
 * Tells whose key a text is. Answers are held in memory under the access epoch: when it moves, every key is
 * looked up again, so a revocation holds everywhere within a beat. Cut off from the primary, keys that were
 * verified are honoured for a minute; all else is unavailable.
 */
export class KeyRing {
  private readonly held = new LRUCache<string, Held>({ max: 50_000 });

  constructor(
    private readonly read: Read,
    private readonly pulse: Pulse,
    private readonly peppers: Peppers,
    private readonly monotonic: () => number,
  ) {}

  /** @throws ApiError `unavailable` when the key cannot be judged. */
  async identify(text: string): Promise<Identity> {
    if (!isKeyText(text)) return { kind: 'unknown' };
    const hashes = this.peppers.all.map((pepper) => hashKey(text, pepper));
    const name = hashes[0]?.toString('base64') ?? '';
    const held = this.held.get(name);
    const { accessEpoch } = this.pulse.latest;
    if (held?.epoch === accessEpoch && this.pulse.age <= FRESH_MS) return held.identity;
    if (this.pulse.lost) return this.withoutPrimary(held);
    return this.lookUp(name, hashes, accessEpoch).catch(() => this.withoutPrimary(held));
  }

  private async lookUp(name: string, hashes: readonly Buffer[], epoch: number): Promise<Identity> {
    const askedAt = this.monotonic();
    const [row] = await this.read<KeyRow>(LOOK_UP, [hashes]);
    const identity = identityOf(row);
    // A stranger's guesses must not push the keys out that are in use.
    if (identity.kind !== 'unknown') this.held.set(name, { identity, epoch, verifiedAt: askedAt });
    return identity;
  }

  private withoutPrimary(held: Held | undefined): Identity {
    if (held !== undefined && this.confirmedAge(held) <= CUT_OFF_MS) return held.identity;
    throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  /** A beat with the same epoch confirms all that is held under it. */
  private confirmedAge(held: Held): number {
    const own = this.monotonic() - held.verifiedAt;
    return held.epoch === this.pulse.latest.accessEpoch ? Math.min(own, this.pulse.age) : own;
  }
}

function identityOf(row: KeyRow | undefined): Identity {
  if (row === undefined) return { kind: 'unknown' };
  if (row.revoked) return { kind: 'revoked' };
  const { accountId, keyId, plan } = row;
  return { kind: row.status === 'active' ? 'caller' : 'suspended', caller: { accountId, keyId, plan } };
}
