import { Global, Inject, Module, type ExecutionContext, type OnModuleDestroy } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FAILED_AUTH_LIMITER } from '../access/keys/api-key.guard.js';
import type { Caller } from '../access/keys/caller.js';
import { Prices, PRICES } from '../access/keys/prices.js';
import { CLOCK, type Clock } from '../../domain/config/clock.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { provider, type Token } from '../../domain/config/provider.js';
import { LIMITS_STATE } from '../health/readiness.js';
import { Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { PLAN_TERMS } from '../../domain/plans/plans.js';
import { trustProxies } from './client-address.js';
import { DailyUsage, KeyUsage, MinuteUsage, RefusedRequests } from './usage.entity.js';
import { FailedAuthLimiter } from './failed-auth-limiter.js';
import { openLimits, type Limits } from './limits.js';
import { LocalLimiter } from './local-limiter.js';
import { PlanThrottlerStorage } from './plan-throttler-storage.js';
import type { RateLimitStore } from './rate-limit-store.js';
import { RecentUsage } from './recent-usage.js';
import { RedisStore } from './redis/redis-store.js';
import { RequestCounter } from './request-counter.js';
import { UsageRecorder } from './usage-recorder.js';
import { DAY_MS, MINUTE_MS } from './window.js';

/** The store of both windows with the recorder of usage. */
export const LIMITS: Token<Limits> = Symbol('Limits');

/** The store of acts without a key. Apart from the accounts' store, so that strangers displace no account's counts. */
const ACTS: Token<RateLimitStore> = Symbol('Acts');

const RECENT_USAGE_INTERVAL_MS = 5_000;

const PROVIDERS = [
  provider(LIMITS, [CONFIG, DataSource, CLOCK, Metrics, Log], limitsOf),
  { provide: LIMITS_STATE, useExisting: LIMITS },
  provider(PlanThrottlerStorage, [LIMITS], ({ storage }) => storage),
  provider(UsageRecorder, [LIMITS], ({ usage }) => usage),
  provider(RecentUsage, [DataSource], (database) => {
    const recent = new RecentUsage(database);
    recent.start(RECENT_USAGE_INTERVAL_MS);
    return recent;
  }),
  RequestCounter,
  provider(ACTS, [CONFIG, CLOCK], ({ redisUrl }, clock): RateLimitStore =>
    redisUrl === null ? localActs(clock) : new RedisStore(redisUrl, clock, 'acts'),
  ),
  provider(Prices, [ACTS, CONFIG, CLOCK], (acts, { pageLimits }, clock) => {
    const prices = { ...PRICES, page: { address: pageLimits } };
    return new Prices(acts, localActs(clock), () => clock.monotonic(), prices);
  }),
  provider(
    FAILED_AUTH_LIMITER,
    [CONFIG, Prices, Metrics],
    ({ trustedProxies }, prices, metrics) =>
      new FailedAuthLimiter(prices, trustProxies(trustedProxies), (admitted) => metrics.failedAttempt(admitted)),
  ),
];

/**
 * One throttler for both windows: Nest awaits several one after another, so a refusal by the second would keep the
 * count of the first.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([DailyUsage, MinuteUsage, KeyUsage, RefusedRequests]),
    ThrottlerModule.forRootAsync({
      inject: [PlanThrottlerStorage],
      useFactory: (storage: PlanThrottlerStorage) => ({ throttlers: [{ ttl: MINUTE_MS, limit: perMinute }], storage }),
    }),
  ],
  providers: PROVIDERS,
  exports: [ThrottlerModule, ...PROVIDERS.map((one) => ('provide' in one ? one.provide : one))],
})
export class LimitsModule implements OnModuleDestroy {
  constructor(
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(ACTS) private readonly acts: RateLimitStore,
    private readonly recent: RecentUsage,
  ) {}

  /** Runs before any module closes the database, because the last usage must be written. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.limits.close(), this.acts.close(), this.recent.stop()]);
  }
}

function perMinute(context: ExecutionContext): number {
  const { plan } = context.switchToHttp().getRequest<{ readonly context: { readonly caller: Caller } }>()
    .context.caller;
  return PLAN_TERMS[plan].perMinute;
}

function limitsOf({ redisUrl }: Config, database: DataSource, clock: Clock, metrics: Metrics, log: Log): Limits {
  let silentUntil = 0;
  return openLimits({
    redisUrl,
    database,
    clock,
    onRedisChange: (isUsed) =>
      isUsed
        ? log.info('limits are counted in Redis')
        : log.warn(
            'Redis does not answer: all instances together admit a quarter of each minute, after 70 s the whole',
          ),
    onUnwrittenUsage: (error) => {
      metrics.usageUnwritten();
      if (performance.now() < silentUntil) return;
      silentUntil = performance.now() + MINUTE_MS;
      log.warn('usage stays pending', { error: error instanceof Error ? error.message : error });
    },
  });
}

/** Keeps a day's count for as long as the day, because no database has it. */
function localActs(clock: Clock): LocalLimiter {
  return new LocalLimiter(clock, 'memory', DAY_MS);
}
