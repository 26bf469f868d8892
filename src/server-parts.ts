import type { DataSource } from 'typeorm';
import { Account } from './access/account.entity.js';
import { ApiKey } from './access/api-key.entity.js';
import { KeyRing } from './access/key-ring.js';
import type { Peppers } from './access/peppers.js';
import type { Config } from './config/config.js';
import type { Connections } from './database/connections.js';
import { createDataSource } from './database/data-source.js';
import { Pulse } from './database/pulse.js';
import type { HttpSettings } from './http/settings.js';
import { trustProxies } from './limits/client-address.js';
import { FailedAttempts } from './limits/failed-attempts.js';
import { MemoryWindowStore } from './limits/memory-store.js';
import { PlanLimiter } from './limits/plan-limiter.js';
import { RedisWindowStore } from './limits/redis-store.js';
import { UsageLedger } from './limits/usage-ledger.js';
import { SYSTEM_CLOCK, type WindowClock, type WindowStore } from './limits/window-store.js';
import type { Log } from './log/log.js';

/** What a server is put together from, beside its configuration. */
export interface ServerSurroundings {
  readonly config: Config;
  readonly connections: Connections;
  readonly peppers: Peppers;
  readonly log: Log;
  readonly baseUrl: string;
  /** Tests replace it; all else runs on the machine's. */
  readonly clock?: WindowClock;
}

export interface ServerParts {
  readonly database: DataSource;
  readonly pulse: Pulse;
  readonly keyRing: KeyRing;
  readonly ledger: UsageLedger;
  readonly limiter: PlanLimiter;
  readonly failedAttempts: FailedAttempts;
  readonly peppers: Peppers;
  readonly log: Log;
  readonly http: HttpSettings;
  readonly now: () => Date;
  close(): Promise<void>;
}

const POOL = { size: 10, statementTimeout: 5_000, applicationName: 'tidemark-api' };
const CACHE_BYTES = 64 * 1024 * 1024;
const BEAT_MS = 250;
const LEDGER_MS = 500;

/** Opens what a server needs; `close` gives it back in the opposite order. */
export async function openParts(around: ServerSurroundings): Promise<ServerParts> {
  const { config, connections, peppers, log, baseUrl, clock = SYSTEM_CLOCK } = around;
  const database = createDataSource(connections.to('api'), POOL, [Account, ApiKey]);
  await database.initialize();
  const monotonic = () => clock.monotonic();
  const warn = (message: string) => (error: unknown) =>
    log.warn(message, { error: error instanceof Error ? error.message : String(error) });
  const pulse = new Pulse(database, {
    everyMs: BEAT_MS,
    monotonic,
    onFailure: warn('database does not answer'),
  });
  const ledger = new UsageLedger(database, LEDGER_MS, warn('usage stays pending'));
  const store = openStore(config, log, clock);
  const attempts = new MemoryWindowStore(clock);
  await pulse.start();
  ledger.start();
  return {
    database,
    pulse,
    ledger,
    peppers,
    log,
    keyRing: new KeyRing(database, pulse, peppers, monotonic),
    limiter: new PlanLimiter(store, ledger),
    failedAttempts: new FailedAttempts(attempts, trustProxies(config.trustedProxies)),
    http: {
      baseUrl,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      mcpOrigins: config.mcpOrigins,
      cacheBytes: CACHE_BYTES,
    },
    now: () => new Date(clock.wall()),
    close: async () => {
      await pulse.stop();
      await ledger.stop();
      await Promise.all([store.close(), attempts.close()]);
      await database.destroy();
    },
  };
}

function openStore(config: Config, log: Log, clock: WindowClock): WindowStore {
  if (config.redisUrl === null) return new MemoryWindowStore(clock);
  const store = new RedisWindowStore(config.redisUrl, clock);
  store.onStateChange((state) =>
    state === 'redis'
      ? log.info('limits are counted in Redis')
      : log.warn('Redis does not answer: limits are counted on this instance'),
  );
  return store;
}
