import type { DataSource } from 'typeorm';
import { Account } from './access/account.entity.js';
import { ApiKey } from './access/api-key.entity.js';
import { KeyRing } from './access/key-ring.js';
import type { Peppers } from './access/peppers.js';
import type { Config } from './config/config.js';
import type { Connections } from './database/connections.js';
import { openDatabases } from './database/databases.js';
import type { Pulse } from './database/pulse.js';
import type { Readers } from './database/readers.js';
import { poolOf, singleReads } from './database/snapshots.js';
import { Draining } from './health/draining.js';
import { Readiness } from './health/readiness.js';
import { watchedLoad, type Load } from './http/load.js';
import type { HttpSettings } from './http/settings.js';
import { trustProxies } from './limits/client-address.js';
import { FailedAttempts } from './limits/failed-attempts.js';
import { MemoryWindowStore } from './limits/memory-store.js';
import { PlanLimiter } from './limits/plan-limiter.js';
import { RedisWindowStore } from './limits/redis-store.js';
import { UsageLedger } from './limits/usage-ledger.js';
import { SYSTEM_CLOCK, type WindowClock, type WindowStore } from './limits/window-store.js';
import type { Log } from './log/log.js';
import { Metrics } from './metrics/metrics.js';
import { States } from './metrics/states.js';
import { openWatching, type Observer } from './watching.js';

/** What a server is put together from, beside its configuration. */
export interface ServerSurroundings {
  readonly config: Config;
  readonly connections: Connections;
  readonly peppers: Peppers;
  readonly log: Log;
  readonly baseUrl: string;
  /** Tests replace it; all else runs on the machine's. */
  readonly clock?: WindowClock;
  /** Milliseconds that the database may take to answer the pulse, and a caller to get a connection: tests have more. */
  readonly databasePatienceMs?: number;
}

export interface ServerParts {
  readonly database: DataSource;
  readonly pulse: Pulse;
  readonly readers: Readers;
  readonly keyRing: KeyRing;
  readonly ledger: UsageLedger;
  readonly limiter: PlanLimiter;
  readonly failedAttempts: FailedAttempts;
  readonly peppers: Peppers;
  readonly log: Log;
  readonly draining: Draining;
  readonly load: Load;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly states: States;
  readonly observers: readonly Observer[];
  readonly http: HttpSettings;
  readonly now: () => Date;
  close(): Promise<void>;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const LEDGER_MS = 500;

/** Opens what a server needs; `close` gives it back in the opposite order. */
export async function openParts(around: ServerSurroundings): Promise<ServerParts> {
  const { config, connections, peppers, log, baseUrl, clock = SYSTEM_CLOCK } = around;
  const monotonic = () => clock.monotonic();
  const warn = (message: string, error?: unknown) =>
    log.warn(message, error === undefined ? {} : { error: error instanceof Error ? error.message : error });
  const databases = await openDatabases({
    connections,
    production: config.production,
    entities: [Account, ApiKey],
    monotonic,
    patienceMs: around.databasePatienceMs,
    info: (message) => log.info(message),
    warn,
  });
  const { primary: database, pulse, readers } = databases;
  const metrics = new Metrics();
  const states = new States(metrics);
  const store = openStore(config, log, clock);
  const unwritten = (error: unknown) => {
    metrics.usageUnwritten();
    warn('usage stays pending', error);
  };
  const ledger = new UsageLedger(
    database,
    LEDGER_MS,
    unwritten,
    () => store.writing?.() ?? (() => undefined),
  );
  const attempts = new MemoryWindowStore(clock);
  const draining = new Draining();
  const readiness = new Readiness({ database, pulse, limits: store, draining });
  await readiness.start();
  ledger.start();
  const watched = { database, pulse, readiness, limits: store, ledger, readers, metrics, states };
  const watching = await openWatching(config, watched, log);
  return {
    database,
    pulse,
    readers,
    ledger,
    peppers,
    log,
    draining,
    load: watchedLoad(log, metrics),
    readiness,
    metrics,
    states,
    observers: watching.observers,
    keyRing: new KeyRing(singleReads(poolOf(database)), pulse, peppers, monotonic),
    limiter: new PlanLimiter(store, ledger),
    failedAttempts: new FailedAttempts(attempts, trustProxies(config.trustedProxies), (admitted) =>
      metrics.failedAttempt(admitted),
    ),
    http: {
      baseUrl,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      mcpOrigins: config.mcpOrigins,
      cacheBytes: CACHE_BYTES,
    },
    now: () => new Date(clock.wall()),
    close: async () => {
      await readiness.stop();
      await ledger.stop();
      await Promise.all([store.close(), attempts.close()]);
      await databases.close();
      await watching.close();
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
