import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../domain/config/clock.js';
import type { Heartbeat } from '../../../store/heartbeat.js';
import type { Read } from '../../../store/snapshots.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import { PLAN_TERMS, type Plan } from '../../../domain/plans/plans.js';
import type { Caller } from './caller.js';

/** Whose account a key or an access token opens. */
export type AuthenticationResult =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'suspended'; readonly caller: Caller }
  /** A new account without the time that its plan demands before the first key. */
  | { readonly kind: 'waiting'; readonly until: Date }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'unknown' };

export interface CallerRow {
  readonly keyId: string | null;
  readonly accountId: string;
  readonly plan: Plan;
  readonly status: 'active' | 'suspended';
  readonly revoked: boolean;
  readonly expiresAt: Date | null;
  /** Null: what the caller sent is not bound to the time of the sign-up. */
  readonly signedUpAt: Date | null;
  /** Of a file link: what it opens. */
  readonly reads?: string | null;
}

/** What finds the account, and the name under which its result is cached. */
export interface CallerQuery {
  readonly name: string;
  readonly find: (read: Read) => Promise<CallerRow | undefined>;
}

interface CachedResult {
  readonly result: AuthenticationResult;
  readonly accountId: string;
  /** The heartbeat's turn of changes before the lookup. */
  readonly turn: number;
  readonly verifiedAt: number;
  /** Milliseconds since the epoch; 0 if the account need not wait. */
  readonly validFrom: number;
  /** Milliseconds since the epoch; infinite if the key does not expire. */
  readonly expiresAt: number;
}

/** How long a verified key stays valid without the primary. */
const CUT_OFF_MS = 60_000;
/**
 * The database moves the access version for an expiry that comes within ten minutes, and not for a later one: results
 * are read again in time to see it.
 */
const RENEWED_MS = 5 * 60_000;
/** An older heartbeat is not trusted while the primary responds. */
const FRESH_MS = 1_000;

/**
 * Finds the account of a caller. Results are cached until their account changes: the heartbeat brings the accounts that
 * did, so a revocation takes effect on every instance within one heartbeat. Without the primary, verified callers stay
 * valid for a minute.
 */
export class CallerLookup {
  private readonly cached = new LRUCache<string, CachedResult>({ max: 50_000 });

  constructor(
    private readonly read: Read,
    private readonly heartbeat: Heartbeat,
    private readonly clock: Pick<Clock, 'monotonic' | 'wall'>,
  ) {}

  /** @throws ApiError `unavailable` if the account cannot be looked up now */
  async find(query: CallerQuery): Promise<AuthenticationResult> {
    const cached = this.cached.get(query.name);
    const { now } = this.heartbeat.accounts;
    if (
      cached !== undefined &&
      this.isCurrent(cached) &&
      this.heartbeat.age <= FRESH_MS &&
      this.ageOf(cached) < RENEWED_MS
    ) {
      return this.atThisTime(cached);
    }
    if (this.heartbeat.lost) return this.withoutPrimary(cached);
    return this.lookUp(query, now).catch(() => this.withoutPrimary(cached));
  }

  private async lookUp({ name, find }: CallerQuery, turn: number): Promise<AuthenticationResult> {
    const askedAt = this.clock.monotonic();
    const row = await find(this.read);
    const result = resultOf(row);
    // Unknown callers are not cached: guesses must not evict keys in use.
    if (row === undefined) return result;
    const { accountId } = row;
    const verified = { result, accountId, turn, verifiedAt: askedAt, ...validityOf(row) };
    this.cached.set(name, verified);
    return this.atThisTime(verified);
  }

  /** An expired key gets the response of a revoked one. */
  private atThisTime({ result, validFrom, expiresAt }: CachedResult): AuthenticationResult {
    const now = this.clock.wall();
    if (now < validFrom && result.kind === 'caller') return { kind: 'waiting', until: new Date(validFrom) };
    return now < expiresAt ? result : { kind: 'revoked' };
  }

  private withoutPrimary(cached: CachedResult | undefined): AuthenticationResult {
    if (cached !== undefined && this.confirmedAge(cached) <= CUT_OFF_MS) return this.atThisTime(cached);
    throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  private ageOf({ verifiedAt }: CachedResult): number {
    return this.clock.monotonic() - verifiedAt;
  }

  private isCurrent({ turn, accountId }: CachedResult): boolean {
    return this.heartbeat.accounts.isUnchangedSince(turn, accountId);
  }

  /** Each heartbeat confirms the results whose accounts it does not name. */
  private confirmedAge(cached: CachedResult): number {
    const own = this.ageOf(cached);
    return this.isCurrent(cached) ? Math.min(own, this.heartbeat.age) : own;
  }
}

function validityOf(row: CallerRow): Pick<CachedResult, 'validFrom' | 'expiresAt'> {
  const expiresAt = row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (row.signedUpAt === null) return { validFrom: 0, expiresAt };
  const waitMs = PLAN_TERMS[row.plan].firstKeyAfterHours * 3_600_000;
  return { validFrom: row.signedUpAt.getTime() + waitMs, expiresAt };
}

function resultOf(row: CallerRow | undefined): AuthenticationResult {
  if (row === undefined) return { kind: 'unknown' };
  if (row.revoked) return { kind: 'revoked' };
  const { accountId, keyId, plan, reads } = row;
  const caller = { accountId, keyId, plan, ...(reads != null && { reads }) };
  return { kind: row.status === 'active' ? 'caller' : 'suspended', caller };
}
