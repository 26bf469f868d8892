import { createHash } from 'node:crypto';
import { MINUTE_MS } from './window.js';

/** Longer than the pause between two registrations: an instance may have been without Redis meanwhile. */
const GAP_MS = 2_000;

/** The instances that share a Redis, as this one knows them, and what each may admit of an account while Redis is away. */
export class Fleet {
  /** When Redis last reported each instance, this one included; on the monotonic clock. */
  private readonly seen = new Map<string, number>();
  private reportedAt = -Infinity;
  private hasShare = false;
  private usedAt = -Infinity;
  private newest = 0;

  constructor(private readonly id: string) {}

  /** The newest registry that this instance knows, by Redis' clock. */
  get known(): number {
    return this.newest;
  }

  /** `at` and `redisNow` are the instance's monotonic clock and Redis' clock. */
  report(at: number, redisNow: number, hasShare: boolean, instances: readonly string[]): void {
    // Instances that Redis no longer reports may have used their shares while it was away.
    if (at - this.reportedAt > GAP_MS) for (const id of this.seen.keys()) this.seen.set(id, at);
    for (const id of instances) this.seen.set(id, at);
    for (const [id, seenAt] of this.seen) if (seenAt < at - MINUTE_MS) this.seen.delete(id);
    [this.reportedAt, this.newest, this.hasShare] = [at, redisNow, hasShare];
  }

  /** Records that this instance admitted a request from its share. */
  use(at: number): void {
    this.usedAt = at;
  }

  isUsed(at: number): boolean {
    return this.usedAt >= at - MINUTE_MS;
  }

  /**
   * This instance's share of `quota` requests a minute. Instances are ranked by account, and the first ones get what
   * cannot be divided: the shares of all together are the quota, and an instance that knows more of them takes less.
   */
  shareOf(key: string, quota: number): number {
    if (!this.hasShare) return 0;
    const weightOf = (id: string) => createHash('sha256').update(`${id} ${key}`).digest('hex');
    const own = weightOf(this.id);
    const rank = [...this.seen.keys()].filter((id) => id !== this.id && weightOf(id) > own).length;
    return Math.max(0, Math.ceil((quota - rank) / this.seen.size));
  }
}
