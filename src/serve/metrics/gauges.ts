import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** Each with the counter of the limits' store that it reads. */
const REDIS_TOTALS = [
  ['timeouts', 'redis_timeouts_total', 'Commands that Redis did not reply to in time'],
  ['breakerOpens', 'redis_breaker_opens_total', 'Times that the circuit breaker opened'],
  [
    'fallbackAdmissions',
    'limits_fallback_admissions_total',
    'Requests admitted from the reserve while Redis was away',
  ],
  [
    'leaseAdmissions',
    'limits_lease_admissions_total',
    'Requests admitted from tokens that Redis leased before it was late or away',
  ],
  [
    'lateRefusals',
    'limits_late_refusals_total',
    'Requests refused because Redis was late and had leased nothing of the account to the instance',
  ],
  [
    'baselines',
    'limits_day_baselines_total',
    'Day counts that Redis lacked and took from the database: many at once follow a flush',
  ],
] as const;

/** State that the gauges read at each scrape. */
export interface GaugeSources {
  readonly readiness: {
    readonly report: {
      readonly status: string;
      readonly database: string;
      readonly migrations: string;
      readonly draining: boolean;
    };
  };
  readonly heartbeat: { readonly latest: { readonly dataVersion: number }; readonly age: number };
  readonly limits: {
    readonly state: 'memory' | 'redis' | 'fallback';
    /** Totals since the start; `unsynced` is how many accounts have a lower day count in Redis than in the database. */
    readonly counters?: Readonly<Record<(typeof REDIS_TOTALS)[number][0] | 'unsynced', number>> | undefined;
  };
  readonly usage: { readonly waiting: number };
  readonly readRouter: {
    readonly replicas: readonly {
      readonly name: string;
      readonly isHealthy: boolean;
      readonly dataVersion: number;
    }[];
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

/** The gauges of an instance. Those of Redis and of a replica exist only if one is configured. */
@Injectable()
export class Gauges {
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
      help: 'Queries that wait for a connection',
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
      },
    });
    new Counter({
      name: 'tidemark_response_cache_requests_total',
      help: 'Response cache lookups by outcome',
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
      name: 'tidemark_response_cache_bytes',
      help: 'Bytes of the cached responses',
      labelNames: ['cache'],
      registers,
      collect() {
        for (const [cache, { stats }] of caches) this.set({ cache }, stats.bytes);
      },
    });
  }

  watch({ readiness, heartbeat, limits, usage, readRouter }: GaugeSources): void {
    const report = () => readiness.report;
    this.gauge('ready', '1 while /health/ready returns 200', () => flag(report().status !== 'unready'));
    this.gauge('draining', '1 while the instance drains', () => flag(report().draining));
    this.gauge('database_up', '1 while the primary responds', () => flag(report().database === 'up'));
    this.gauge('migrations_current', '1 once every migration of this version has run', () =>
      flag(report().migrations === 'current'),
    );
    this.gauge('database_heartbeat_age_seconds', 'Seconds since the primary last responded', () =>
      Math.max(0, heartbeat.age / 1_000),
    );
    this.gauge(
      'data_version',
      'The newest data version known to the instance',
      () => heartbeat.latest.dataVersion,
    );
    this.gauge('http_requests_in_flight', 'Requests in flight', () => this.metrics.inFlight);
    this.gauge('usage_pending', 'Accounts with usage that is not written yet', () => usage.waiting);
    this.watchReadRouter(readRouter);
    const { counters } = limits;
    if (counters === undefined) return;
    const now = () => limits.counters ?? counters;
    this.gauge('redis_up', '1 while limits are counted in Redis', () => flag(limits.state === 'redis'));
    this.gauge(
      'limits_unsynced_accounts',
      'Accounts whose day count in Redis is still to be raised to that of the database',
      () => now().unsynced,
    );
    for (const [counter, name, help] of REDIS_TOTALS) this.total(name, help, () => now()[counter]);
  }

  /** Replaces the pool of the same name. */
  watchPool(name: string, pool: WatchedPool): void {
    this.pools.set(name, pool);
  }

  watchCache(name: string, cache: WatchedCache): void {
    this.caches.set(name, cache);
  }

  private watchReadRouter(readRouter: GaugeSources['readRouter']): void {
    new Counter({
      name: 'tidemark_content_reads_total',
      help: 'Reads of content by database server',
      labelNames: ['from'],
      registers: [this.metrics.registry],
      collect() {
        const { primary, replica } = readRouter.counters;
        this.reset();
        this.inc({ from: 'primary' }, primary);
        this.inc({ from: 'replica' }, replica);
      },
    });
    if (readRouter.replicas.length === 0) return;
    this.ofReplicas('replica_up', '1 while the replica is healthy', readRouter, ({ isHealthy }) =>
      flag(isHealthy),
    );
    this.ofReplicas(
      'replica_data_version',
      'The newest data version of the replica',
      readRouter,
      ({ dataVersion }) => dataVersion,
    );
    this.total(
      'replica_fallbacks_total',
      'Reads that fell back from the replica to the primary',
      () => readRouter.counters.fellBack,
    );
  }

  private ofReplicas(
    name: string,
    help: string,
    readRouter: GaugeSources['readRouter'],
    value: (replica: GaugeSources['readRouter']['replicas'][number]) => number,
  ): void {
    new Gauge({
      name: `tidemark_${name}`,
      help,
      labelNames: ['replica'],
      registers: [this.metrics.registry],
      collect() {
        for (const replica of readRouter.replicas) this.set({ replica: replica.name }, value(replica));
      },
    });
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

const flag = (isSo: boolean): number => (isSo ? 1 : 0);
