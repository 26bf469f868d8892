import { dayIndex } from './window.js';
import type { DayCount } from './local-limiter.js';
import type { RecordedDay } from './usage-recorder.js';

const AT_ONCE = 100;

/** The store whose day counts are compared with the database. */
export interface SharedDays {
  readonly state: 'redis' | 'fallback';
  reportedDay(accountId: string): DayCount | null;
  raiseDay(accountId: string, count: DayCount): Promise<void>;
}

/**
 * Raises the day counts in Redis to those in the database: Redis lacks the requests that instances admitted while it
 * was away.
 */
export class UsageReconciler {
  /** Days for which the database has a higher count than Redis reported. */
  private readonly unsynced = new Map<string, DayCount>();
  private running: Promise<void> | null = null;

  constructor(private readonly store: SharedDays) {}

  /** Accounts whose day count Redis still lacks. */
  get unsyncedAccounts(): number {
    return this.unsynced.size;
  }

  compare(days: readonly RecordedDay[]): void {
    for (const { accountId, day, used } of days) {
      const reported = this.store.reportedDay(accountId);
      const index = dayIndex(Date.parse(day));
      if (used > (reported?.day === index ? reported.used : 0)) this.unsynced.set(accountId, { day: index, used });
      else this.unsynced.delete(accountId);
    }
  }

  /** One run at a time; the next run retries what failed. Never rejects. */
  run(): Promise<void> {
    this.running ??= this.raiseAll().finally(() => (this.running = null));
    return this.running;
  }

  private async raiseAll(): Promise<void> {
    if (this.store.state !== 'redis') return;
    const behind = [...this.unsynced];
    for (let from = 0; from < behind.length; from += AT_ONCE) {
      await Promise.allSettled(
        behind.slice(from, from + AT_ONCE).map(async ([accountId, count]) => {
          await this.store.raiseDay(accountId, count);
          if (this.unsynced.get(accountId) === count) this.unsynced.delete(accountId);
        }),
      );
    }
  }
}
