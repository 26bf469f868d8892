import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** What is asked for at each scrape rather than told as it happens. */
export interface WatchedStates {
  readonly readiness: {
    readonly report: {
      readonly status: string;
      readonly database: string;
      readonly migrations: string;
      readonly draining: boolean;
    };
  };
  readonly pulse: { readonly latest: { readonly revision: number }; readonly age: number };
  readonly limits: {
    readonly state: 'memory' | 'redis' | 'fallback';
    /** Totals since the start; `owed` is how many accounts Redis has yet to be told of. */
    readonly counters?: {
      readonly timeouts: number;
      readonly breakerOpens: number;
      readonly fallbackAdmissions: number;
      readonly seeds: number;
      readonly owed: number;
    };
  };
  readonly usage: { readonly waiting: number };
  readonly readers: {
    readonly state: 'none' | 'lost' | 'there';
    readonly replicaRevision: number | null;
    /** Totals since the start. */
    readonly counters: { readonly primary: number; readonly replica: number; readonly fellBack: number };
  };
}

export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export interface WatchedCache {
  readonly stats: {
    readonly hits: number;
    readonly misses: number;
    readonly bytes: number;
  };
}

/** The gauges of an instance. Those of Redis and of a replica are there only where one is configured. */
export class States {
  private readonly pools = new Map<string, WatchedPool>();
  private readonly caches = new Map<string, WatchedCache>();

  constructor(private readonly metrics: Metrics) {
    const { pools, caches } = this;
    const registers = [metrics.registry];
    new Gauge({
      name: 'tidemark_pool_connections',
      help: 'Connections to PostgreSQL, busy and idle',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [pool, { totalCount, idleCount }] of pools) {
          this.set({ pool, state: 'idle' }, idleCount);
          this.set({ pool, state: 'busy' }, totalCount - idleCount);
        }
      },
    });
    new Gauge({
      name: 'tidemark_pool_waiting',
      help: 'Questions that wait for a connection',
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
      },
    });
    new Counter({
      name: 'tidemark_answer_cache_requests_total',
      help: 'Answers looked for among those kept as bytes',
      labelNames: ['cache', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [cache, { stats }] of caches) {
          this.inc({ cache, outcome: 'hit' }, stats.hits);
          this.inc({ cache, outcome: 'miss' }, stats.misses);
        }
      },
    });
    new Gauge({
      name: 'tidemark_answer_cache_bytes',
      help: 'What kept answers take',
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [cache, { stats }] of caches) this.set({ cache }, stats.bytes);
      },
    });
  }

  watch({ readiness, pulse, limits, usage, readers }: WatchedStates): void {
    const report = () => readiness.report;
    this.gauge('ready', '1 where /health/ready answers 200', () => flag(report().status !== 'unready'));
    this.gauge('draining', '1 while the instance is on its way out', () => flag(report().draining));
    this.gauge('database_up', '1 while the primary answers', () => flag(report().database === 'up'));
    this.gauge('migrations_current', '1 once every migration of this version has run', () =>
      flag(report().migrations === 'current'),
    );
    this.gauge('database_pulse_age_seconds', 'Since the primary last answered', () =>
      Math.max(0, pulse.age / 1_000),
    );
    this.gauge('revision', 'The newest data revision that the instance knows', () => pulse.latest.revision);
    this.gauge('http_requests_in_flight', 'Requests not yet answered', () => this.metrics.inFlight);
    this.gauge('usage_pending', 'Accounts whose usage waits to be written', () => usage.waiting);
    this.watchReaders(readers);
    const { counters } = limits;
    if (counters === undefined) return;
    const now = () => limits.counters ?? counters;
    this.gauge('redis_up', '1 while limits are counted in Redis', () => flag(limits.state === 'redis'));
    this.gauge(
      'limits_owed',
      'Accounts whose admitted requests Redis has yet to be told of',
      () => now().owed,
    );
    this.total('redis_timeouts_total', 'Questions that Redis did not answer in time', () => now().timeouts);
    this.total('redis_breaker_opens_total', 'Times that Redis was given up', () => now().breakerOpens);
    this.total(
      'limits_fallback_admissions_total',
      'Requests admitted on the count of this instance alone',
      () => now().fallbackAdmissions,
    );
    this.total(
      'limits_day_seeds_total',
      'Day counts that Redis did not have and got from the database: many at once follow a flush',
      () => now().seeds,
    );
  }

  /** Watching another one under the same name takes its place. */
  watchPool(name: string, pool: WatchedPool): void {
    this.pools.set(name, pool);
  }

  watchCache(name: string, cache: WatchedCache): void {
    this.caches.set(name, cache);
  }

  private watchReaders(readers: WatchedStates['readers']): void {
    new Counter({
      name: 'tidemark_content_reads_total',
      help: 'Answers made anew, by the database server they were read from',
      labelNames: ['from'],
      registers: [this.metrics.registry],
      collect() {
        const { primary, replica } = readers.counters;
        this.reset();
        this.inc({ from: 'primary' }, primary);
        this.inc({ from: 'replica' }, replica);
      },
    });
    if (readers.state === 'none') return;
    this.gauge('replica_up', '1 while the replica answers and may be read', () =>
      flag(readers.state === 'there'),
    );
    this.gauge(
      'replica_revision',
      'The newest revision that the replica has',
      () => readers.replicaRevision ?? 0,
    );
    this.total(
      'replica_fallbacks_total',
      'Answers that the replica could not give and the primary gave',
      () => readers.counters.fellBack,
    );
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name: `tidemark_${name}`,
      help,
      registers: [this.metrics.registry],
      collect() {
        this.set(value());
      },
    });
  }

  private total(name: string, help: string, value: () => number): void {
    new Counter({
      name: `tidemark_${name}`,
      help,
      registers: [this.metrics.registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }
}

function flag(isSo: boolean): number {
  return isSo ? 1 : 0;
}
