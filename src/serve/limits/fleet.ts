import { createHash } from 'node:crypto';
import { MINUTE_MS } from './window.js';

/** Longer than the pause between two registrations: an instance may have been without Redis meanwhile. */
const GAP_MS = 2_000;
/** Instances lose Redis, and find it again, within this time of each other. */
const APART_MS = 5_000;
/** Leased tokens are used only this long without Redis, so that no minute contains them and whole minutes' shares. */
const TOKENS_MS = 5_000;
const LONG_MS = MINUTE_MS + TOKENS_MS + APART_MS;
/** All instances together may admit this part of a minute in the first minute without Redis, or with it again. */
const RESERVE_PARTS = 4;
/** An instance that the others may not know takes this part of a minute. */
const UNKNOWN_PARTS = 8;

/** The instances that share a Redis, as this one knows them, and what each may admit of an account while Redis is away. */
export class Fleet {
  /** When Redis last reported each instance, this one included; on the monotonic clock. */
  private readonly seen = new Map<string, number>();
  private narrowUntil = -Infinity;
  private hasShare = false;
  private usedAt = -Infinity;
  private newest = 0;

  /** @param reportedAt when Redis last reported the instances, or the start; on the monotonic clock */
  constructor(
    private readonly id: string,
    private reportedAt: number,
  ) {}

  /** The newest registry that this instance knows, by Redis' clock. */
  get known(): number {
    return this.newest;
  }

  /**
   * `at` and `redisNow` are the instance's monotonic clock and Redis' clock; `returnedAt`, on the latter, is when Redis
   * was last back after so long that the instances admitted whole minutes without it.
   */
  report(
    at: number,
    redisNow: number,
    { hasShare, returnedAt }: { readonly hasShare: boolean; readonly returnedAt: number },
    instances: readonly string[],
  ): void {
    // Instances that Redis no longer reports may have used their shares while it was away.
    if (at - this.reportedAt > GAP_MS) for (const id of this.seen.keys()) this.seen.set(id, at);
    for (const id of instances) this.seen.set(id, at);
    for (const [id, seenAt] of this.seen) if (seenAt < at - MINUTE_MS) this.seen.delete(id);
    this.narrowUntil = at + Math.max(0, returnedAt + LONG_MS - redisNow);
    [this.reportedAt, this.newest, this.hasShare] = [at, redisNow, hasShare];
  }

  /** Records that this instance admitted a request from its share. */
  use(at: number): void {
    this.usedAt = at;
  }

  isUsed(at: number): boolean {
    return this.usedAt >= at - MINUTE_MS;
  }

  /** Whether Redis was away for so long that this instance may have admitted its share of whole minutes. */
  isLongAway(at: number): boolean {
    return at - this.reportedAt > LONG_MS;
  }

  mayUseTokens(at: number): boolean {
    return at - this.reportedAt < TOKENS_MS;
  }

  /** What Redis must leave of `perMinute`: it does not know what the instances admitted before it was back. */
  withheldOf(perMinute: number, at: number): number {
    return at < this.narrowUntil ? perMinute - Math.floor(perMinute / RESERVE_PARTS) : 0;
  }

  /** What this instance may admit of an account's `perMinute` while Redis is away. */
  shareWithoutRedis(key: string, perMinute: number, at: number): number {
    if (this.isLongAway(at))
      return this.hasShare ? this.shareOf(key, perMinute) : Math.floor(perMinute / UNKNOWN_PARTS);
    if (!this.hasShare || at < this.narrowUntil) return 0;
    return this.shareOf(key, Math.floor(perMinute / RESERVE_PARTS));
  }

  /**
   * This instance's share of `quota` requests a minute. Instances are ranked by account, and the first ones get what
   * cannot be divided: the shares of all together are the quota, and an instance that knows more of them takes less.
   */
  private shareOf(key: string, quota: number): number {
    const weightOf = (id: string) => createHash('sha256').update(`${id} ${key}`).digest('hex');
    const own = weightOf(this.id);
    const rank = [...this.seen.keys()].filter((id) => id !== this.id && weightOf(id) > own).length;
    return Math.max(0, Math.ceil((quota - rank) / this.seen.size));
  }
}
