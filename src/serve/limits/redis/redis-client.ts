import { Cluster, Redis, type RedisOptions, type Result } from 'ioredis';
import { ADMIT_SCRIPT, RAISE_DAY_SCRIPT, REGISTER_SCRIPT, SETTLE_SCRIPT } from './redis-scripts.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tidemarkAdmit(...args: (string | number)[]): Result<unknown[], Context>;
    tidemarkSettle(...args: (string | number)[]): Result<number, Context>;
    tidemarkRaiseDay(day: string, index: number, used: number): Result<number, Context>;
    tidemarkRegister(...args: (string | number)[]): Result<(string | number)[], Context>;
  }
}

export type RedisClient = Redis | Cluster;

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;
const SENTINEL_PORT = 26_379;
const PORT = 6_379;

const SCRIPTS = {
  tidemarkSettle: { lua: SETTLE_SCRIPT, numberOfKeys: 2 },
  tidemarkRaiseDay: { lua: RAISE_DAY_SCRIPT, numberOfKeys: 1 },
  tidemarkRegister: { lua: REGISTER_SCRIPT, numberOfKeys: 1 },
};

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  // One write to the socket for all requests of a turn of the event loop.
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A frozen server never closes its side of the connection.
  disconnectTimeout: RETRY_MS,
  retryStrategy: () => RETRY_MS,
  // The primary became a replica: its address may resolve to the new primary now.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** `redis+sentinel://[user:password@]host[:port][,host[:port]…][/db][?name=…]`, and the same with `redis+cluster`. */
const SEVERAL_HOSTS =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?@]+)(?:\/(?<db>\d*))?(?:\?name=(?<name>[^&]+))?$/;

/**
 * Creates a client that is not connected yet.
 * @param admitKeys the number of keys of the admit script
 * @throws Error for an invalid URL
 */
export function createRedisClient(url: string, admitKeys = 3): RedisClient {
  const scripts = { ...SCRIPTS, tidemarkAdmit: { lua: ADMIT_SCRIPT, numberOfKeys: admitKeys } };
  if (!/^rediss?\+/.test(url)) return new Redis(url, { ...OPTIONS, scripts });
  const parts = SEVERAL_HOSTS.exec(url)?.groups;
  if (parts === undefined) throw new Error('REDIS_URL is not an address of a Redis Sentinel or Cluster');
  const { scheme, kind, user = '', password, hosts = '', db, name } = parts;
  const tls = scheme === 'rediss' ? {} : undefined;
  const login: RedisOptions = {
    ...(user !== '' && { username: decodeURIComponent(user) }),
    ...(password !== undefined && { password: decodeURIComponent(password) }),
    ...(tls && { tls }),
  };
  if (kind === 'cluster') {
    return new Cluster(nodesOf(hosts, PORT), {
      lazyConnect: true,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: () => RETRY_MS,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      slotsRefreshInterval: CONNECT_TIMEOUT_MS,
      scripts,
      redisOptions: { ...login, connectTimeout: CONNECT_TIMEOUT_MS, disconnectTimeout: RETRY_MS },
    });
  }
  if (name === undefined) throw new Error('REDIS_URL of a Redis Sentinel needs ?name=, the name of the primary');
  return new Redis({
    ...OPTIONS,
    ...login,
    ...(tls && { enableTLSForSentinelMode: true }),
    ...(db && { db: Number(db) }),
    scripts,
    sentinels: nodesOf(hosts, SENTINEL_PORT),
    name: decodeURIComponent(name),
    sentinelRetryStrategy: () => RETRY_MS,
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
  });
}

function nodesOf(hosts: string, defaultPort: number): { readonly host: string; readonly port: number }[] {
  return hosts.split(',').map((text) => {
    const { hostname, port } = new URL(`redis://${text}`);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) };
  });
}
