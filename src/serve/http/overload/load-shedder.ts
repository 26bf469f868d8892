import type { Log } from '../../log/log.js';
import type { Metrics } from '../../metrics/metrics.js';
import type { RequestContext } from '../../responses/request-context.js';
import { AccountSlots } from './account-slots.js';
import type { EventLoopMonitor } from './event-loop-monitor.js';
import { ConcurrencyLimiter, type ConcurrencyLimits, type SheddingObserver } from './concurrency-limiter.js';

/**
 * Requests that occupy this process. A cache hit takes some tenths of a millisecond, so 32 take about ten milliseconds;
 * many clients together may send a burst of a thousand.
 */
const REQUESTS: ConcurrencyLimits = {
  maxBurst: 1_000,
  sustained: 200,
  sustainedForMs: 1_000,
  whileShedding: 32,
  recoverAfterMs: 1_000,
};
/** Cache misses: most of them wait for one of the ten connections to the database. */
const CACHE_MISSES: ConcurrencyLimits = {
  maxBurst: 400,
  sustained: 100,
  sustainedForMs: 1_000,
  whileShedding: 5,
  recoverAfterMs: 1_000,
};

export interface LoadObserver {
  readonly requests?: SheddingObserver;
  readonly cacheMisses?: SheddingObserver;
}

/**
 * Limits the requests and the cache misses of this instance. Requests that wait for the database count as cache misses
 * only, so a slow database does not slow cache hits down.
 */
export class LoadShedder {
  readonly requests: ConcurrencyLimiter;
  readonly cacheMisses: ConcurrencyLimiter;
  readonly accounts = new AccountSlots();

  constructor(
    monotonic: () => number,
    readonly eventLoop: EventLoopMonitor,
    watcher: LoadObserver = {},
  ) {
    this.requests = new ConcurrencyLimiter(REQUESTS, monotonic, watcher.requests, this.eventLoop);
    this.cacheMisses = new ConcurrencyLimiter(CACHE_MISSES, monotonic, watcher.cacheMisses);
  }

  /** Half of the load that starts shedding is in flight: requests without a plan are rejected first. */
  get isBusy(): boolean {
    return (
      this.requests.inFlight > REQUESTS.sustained / 2 ||
      this.cacheMisses.inFlight > CACHE_MISSES.sustained / 2 ||
      this.eventLoop.isSustained
    );
  }

  /** Counts the request. */
  acquireSlot(): RequestSlot {
    return new RequestSlot(this);
  }
}

/** The slot of one request: free while the request waits for anything but this process, and released once. */
export class RequestSlot {
  private held = true;
  private released = false;

  constructor(private readonly loadShedder: LoadShedder) {
    loadShedder.requests.acquire();
  }

  /** Releases the slot while the database computes a cache miss and, before that, while the account has no free slot. */
  releaseForCacheMiss<Made>(accountId: string, work: () => Promise<Made>): Promise<Made> {
    const counted = async () => {
      this.loadShedder.cacheMisses.acquire();
      try {
        return await work();
      } finally {
        this.loadShedder.cacheMisses.release();
      }
    };
    return this.releaseWhile(() => this.loadShedder.accounts.run(accountId, counted));
  }

  /** Releases the slot while waiting for the client. */
  async releaseWhile<Made>(work: () => Promise<Made>): Promise<Made> {
    this.free();
    try {
      return await work();
    } finally {
      if (!this.held && !this.released) {
        this.held = true;
        this.loadShedder.requests.reacquire();
      }
    }
  }

  /** Call when the response head is sent or the connection closes; a second call does nothing. */
  release(): void {
    this.released = true;
    this.free();
  }

  private free(): void {
    if (!this.held) return;
    this.held = false;
    this.loadShedder.requests.release();
  }
}

/** A load shedder that logs when shedding starts and stops, and counts rejections. */
export function observedLoadShedder(log: Log, metrics: Metrics, eventLoop: EventLoopMonitor): LoadShedder {
  const observer = (what: string, reason: 'requests' | 'cache_misses'): SheddingObserver => ({
    onShedding: () => log.warn(`overload: shedding ${what}`),
    onReject: () => metrics.shed(reason),
    onRecovery: (refused) => log.info(`overload over: no longer shedding ${what}`, { refused }),
  });
  return new LoadShedder(() => performance.now(), eventLoop, {
    requests: observer('requests', 'requests'),
    cacheMisses: observer('cache misses', 'cache_misses'),
  });
}

/** Computes a cache miss without the request's slot, so cache hits do not wait for it. */
export function computeCacheMiss<Made>(
  { slot, context }: { readonly slot?: RequestSlot; readonly context: RequestContext },
  work: () => Promise<Made>,
): Promise<Made> {
  return slot === undefined ? work() : slot.releaseForCacheMiss(context.accountId, work);
}
