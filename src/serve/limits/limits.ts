import type { DataSource } from 'typeorm';
import { LocalLimiter } from './local-limiter.js';
import { PlanThrottlerStorage } from './plan-throttler-storage.js';
import type { LimitClock, RateLimitStore, StoreCounters } from './rate-limit-store.js';
import { RedisStore } from './redis/redis-store.js';
import { UsageReconciler } from './usage-reconciler.js';
import { UsageRecorder } from './usage-recorder.js';

/** Twice as often as the contract promises, so that one write may fail. */
const WRITE_INTERVAL_MS = 500;
const RECONCILE_INTERVAL_MS = 1_000;

const FIRST_ANSWER_MS = 3_000;

export interface LimitsOptions {
  /** `null`: this process counts in its memory. */
  readonly redisUrl: string | null;
  readonly database: DataSource;
  readonly clock: LimitClock;
  readonly onRedisChange: (isUsed: boolean) => void;
  readonly onUnwrittenUsage: (error: unknown) => void;
}

export interface Limits {
  readonly storage: PlanThrottlerStorage;
  readonly usage: UsageRecorder;
  readonly state: RateLimitStore['state'];
  readonly counters?: (StoreCounters & { readonly unsynced: number }) | undefined;
  /** Writes what is pending before it resolves. */
  close(): Promise<void>;
}

/** Opens the store of the windows and the usage recorder. Redis may be unreachable. */
export function openLimits(options: LimitsOptions): Limits {
  const { redisUrl, database, clock, onRedisChange, onUnwrittenUsage } = options;
  const usage = new UsageRecorder(database, WRITE_INTERVAL_MS, onUnwrittenUsage);
  usage.start();
  if (redisUrl === null) {
    const store = new LocalLimiter(clock);
    return { storage: new PlanThrottlerStorage(store, usage), usage, state: store.state, close: () => usage.stop() };
  }
  const store = new RedisStore(redisUrl, clock);
  const reconciler = new UsageReconciler(store);
  const timer = setInterval(() => void reconciler.run(), RECONCILE_INTERVAL_MS).unref();
  usage.afterWriting((days) => reconciler.compare(days));
  // A Redis that has never answered changes no state.
  void store.ready(FIRST_ANSWER_MS).then((isUsed) => {
    if (!isUsed) onRedisChange(false);
  });
  store.onStateChange((state) => {
    onRedisChange(state === 'redis');
    if (state === 'redis') void reconciler.run();
  });
  return {
    storage: new PlanThrottlerStorage(store, usage),
    usage,
    get state() {
      return store.state;
    },
    get counters() {
      return { ...store.counters, unsynced: reconciler.unsyncedAccounts };
    },
    close: async () => {
      clearInterval(timer);
      await usage.stop();
      await store.close();
    },
  };
}
