import { Injectable } from '@nestjs/common';
import { Metrics } from './metrics.js';
import { watchGauge, watchTotal } from './sampled.js';

/** Each with the counter of the limits' store that it reads. */
const REDIS_TOTALS = [
  ['timeouts', 'redis_timeouts_total', 'Commands that Redis did not reply to in time'],
  ['breakerOpens', 'redis_breaker_opens_total', 'Times that the circuit breaker opened'],
  ['fallbackAdmissions', 'limits_fallback_admissions_total', 'Requests admitted from the reserve while Redis was away'],
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
    readonly replicas: readonly { readonly name: string; readonly isHealthy: boolean; readonly dataVersion: number }[];
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
  readonly stats: { readonly hits: number; readonly misses: number; readonly bytes: number };
}

/** The gauges of an instance. Those of Redis and of a replica exist only if one is configured. */
@Injectable()
export class Gauges {
  private readonly pools = new Map<string, WatchedPool>();
  private readonly caches = new Map<string, WatchedCache>();

  constructor(private readonly metrics: Metrics) {
    const { pools, caches } = this;
    watchGauge(metrics, 'pool_connections', 'Connections to PostgreSQL, busy and idle', ['pool', 'state'], () =>
      [...pools].flatMap(([pool, { totalCount, idleCount }]) => [
        [{ pool, state: 'idle' }, idleCount] as const,
        [{ pool, state: 'busy' }, totalCount - idleCount] as const,
      ]),
    );
    watchGauge(metrics, 'pool_waiting', 'Queries that wait for a connection', ['pool'], () =>
      [...pools].map(([pool, { waitingCount }]) => [{ pool }, waitingCount]),
    );
    watchTotal(
      metrics,
      'response_cache_requests_total',
      'Response cache lookups by outcome',
      ['cache', 'outcome'],
      () =>
        [...caches].flatMap(([cache, { stats }]) => [
          [{ cache, outcome: 'hit' }, stats.hits] as const,
          [{ cache, outcome: 'miss' }, stats.misses] as const,
        ]),
    );
    watchGauge(metrics, 'response_cache_bytes', 'Bytes of the cached responses', ['cache'], () =>
      [...caches].map(([cache, { stats }]) => [{ cache }, stats.bytes]),
    );
  }

  watch({ readiness, heartbeat, limits, usage, readRouter }: GaugeSources): void {
    const gauge = (name: string, help: string, read: () => number) => watchGauge(this.metrics, name, help, [], read);
    const report = () => readiness.report;
    gauge('ready', '1 while /health/ready returns 200', () => flag(report().status !== 'unready'));
    gauge('draining', '1 while the instance drains', () => flag(report().draining));
    gauge('database_up', '1 while the primary responds', () => flag(report().database === 'up'));
    gauge('migrations_current', '1 once every migration of this version has run', () =>
      flag(report().migrations === 'current'),
    );
    gauge('database_heartbeat_age_seconds', 'Seconds since the primary last responded', () =>
      Math.max(0, heartbeat.age / 1_000),
    );
    gauge('data_version', 'The newest data version known to the instance', () => heartbeat.latest.dataVersion);
    gauge('http_requests_in_flight', 'Requests in flight', () => this.metrics.inFlight);
    gauge('usage_pending', 'Accounts with usage that is not written yet', () => usage.waiting);
    this.watchReadRouter(readRouter);
    const { counters } = limits;
    if (counters === undefined) return;
    const now = () => limits.counters ?? counters;
    gauge('redis_up', '1 while limits are counted in Redis', () => flag(limits.state === 'redis'));
    gauge(
      'limits_unsynced_accounts',
      'Accounts whose day count in Redis is still to be raised to that of the database',
      () => now().unsynced,
    );
    for (const [counter, name, help] of REDIS_TOTALS) watchTotal(this.metrics, name, help, [], () => now()[counter]);
  }

  /** Replaces the pool of the same name. */
  watchPool(name: string, pool: WatchedPool): void {
    this.pools.set(name, pool);
  }

  watchCache(name: string, cache: WatchedCache): void {
    this.caches.set(name, cache);
  }

  private watchReadRouter(readRouter: GaugeSources['readRouter']): void {
    const { metrics } = this;
    watchTotal(metrics, 'content_reads_total', 'Reads of content by database server', ['from'], () =>
      (['primary', 'replica'] as const).map((from) => [{ from }, readRouter.counters[from]]),
    );
    if (readRouter.replicas.length === 0) return;
    watchGauge(metrics, 'replica_up', '1 while the replica is healthy', ['replica'], () =>
      readRouter.replicas.map(({ name, isHealthy }) => [{ replica: name }, flag(isHealthy)]),
    );
    watchGauge(metrics, 'replica_data_version', 'The newest data version of the replica', ['replica'], () =>
      readRouter.replicas.map(({ name, dataVersion }) => [{ replica: name }, dataVersion]),
    );
    watchTotal(
      metrics,
      'replica_fallbacks_total',
      'Reads that fell back from the replica to the primary',
      [],
      () => readRouter.counters.fellBack,
    );
  }
}

const flag = (isSo: boolean): number => (isSo ? 1 : 0);
