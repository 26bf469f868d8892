// runs: in full only
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createRedisClient } from '../../src/serve/limits/redis/redis-client.js';
import { NO_BASELINE } from '../../src/serve/limits/rate-limit-store.js';
import { RedisStore } from '../../src/serve/limits/redis/redis-store.js';
import { freePort } from '../support/free-port.mjs';
import { until } from '../support/until.js';
import { describeIf } from '../support/needs.js';
import { PrivateRedis, redisInstalled } from './redis-servers.js';

const PRO = { perMinute: 5, perDay: 5_000 };
const STARTS_WITHIN = 30_000;

describeIf(redisInstalled, 'redis-server is not installed')('The Redis store in a topology', () => {
  let folder: string;
  let servers: PrivateRedis[];
  let stores: RedisStore[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-redis-'));
    servers = [];
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all(servers.map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true });
  });

  async function start(...args: string[]): Promise<PrivateRedis> {
    const server = await PrivateRedis.start(undefined, ['--dir', folder, ...args]);
    servers.push(server);
    return server;
  }

  const startNode = (name: string): Promise<PrivateRedis> =>
    start('--cluster-enabled', 'yes', '--cluster-config-file', `${name}.conf`);

  async function ask<Answer>(port: number, command: string, ...args: (string | number)[]): Promise<Answer> {
    const client = new Redis(port, '127.0.0.1', { lazyConnect: true });
    try {
      await client.connect();
      return (await client.call(command, ...args)) as Answer;
    } finally {
      client.disconnect();
    }
  }

  function open(url: string): RedisStore {
    const store = new RedisStore(url);
    stores.push(store);
    return store;
  }

  /** An error means no, because a server closes its connections when its role changes. */
  const holds = (port: number, section: string, line: string): Promise<boolean> =>
    ask<string>(port, 'INFO', section).then(
      (info) => info.includes(line),
      () => false,
    );

  const inUse = (all: readonly RedisStore[]): Promise<void> =>
    until(STARTS_WITHIN, 'Redis', () => Promise.resolve(all.every(({ state }) => state === 'redis')));

  async function burst(all: readonly RedisStore[], key = randomUUID()): Promise<number> {
    const results = await Promise.all(
      all.flatMap((store) => Array.from({ length: 20 }, () => store.admit(key, PRO, NO_BASELINE))),
    );
    expect(new Set(results.map(({ via }) => via))).toEqual(new Set(['redis']));
    return results.filter(({ admitted }) => admitted).length;
  }

  it('counts in the primary that Redis Sentinel names, and follows a failover', async () => {
    const primary = await start();
    const replica = await start('--replicaof', '127.0.0.1', String(primary.port));
    const config = join(folder, 'sentinel.conf');
    await writeFile(
      config,
      [
        `sentinel monitor tidemark 127.0.0.1 ${String(primary.port)} 1`,
        'sentinel down-after-milliseconds tidemark 500',
        'sentinel failover-timeout tidemark 2000',
      ].join('\n'),
    );
    const sentinel = await PrivateRedis.start(undefined, [], config);
    servers.push(sentinel);
    const url = `redis+sentinel://127.0.0.1:${String(await freePort())},127.0.0.1:${String(sentinel.port)}?name=tidemark`;
    const both = [open(url), open(url)];
    await inUse(both);
    expect(await burst(both)).toBe(5);
    await until(STARTS_WITHIN, 'the replica', () => holds(sentinel.port, 'sentinel', 'slaves=1'));
    await until(STARTS_WITHIN, 'replication', () => holds(replica.port, 'replication', 'master_link_status:up'));
    await primary.kill();
    await until(STARTS_WITHIN, 'the fail-over', () => holds(replica.port, 'replication', 'role:master'));
    await inUse(both);
    expect(await burst(both)).toBe(5);
  });

  it('counts in a Redis Cluster, whichever node owns the account', async () => {
    const nodes = await Promise.all(['one', 'two', 'three'].map((name) => startNode(name)));
    const slots = [
      [0, 5_460],
      [5_461, 10_922],
      [10_923, 16_383],
    ];
    for (const [index, node] of nodes.entries()) {
      const [from = 0, to = 0] = slots[index] ?? [];
      await ask(node.port, 'CLUSTER', 'ADDSLOTSRANGE', from, to);
      if (index > 0) await ask(nodes[0]?.port ?? 0, 'CLUSTER', 'MEET', '127.0.0.1', node.port);
    }
    await until(STARTS_WITHIN, 'the cluster', async () => {
      const states = await Promise.all(nodes.map((node) => ask<string>(node.port, 'CLUSTER', 'INFO')));
      return states.every((state) => state.includes('cluster_state:ok'));
    });
    const url = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${String(port)}`).join(',')}`;
    const both = [open(url), open(url)];
    await inUse(both);
    // One account after the other: a busy machine would answer all of them together too late.
    for (let account = 0; account < 40; account++) expect(await burst(both)).toBe(5);
    const held = await Promise.all(nodes.map((node) => ask<number>(node.port, 'DBSIZE')));
    expect(held.every((keys) => keys > 0)).toBe(true);
  });
});

describe('createRedisClient', () => {
  it.each([
    'redis+sentinel://127.0.0.1:26379',
    'redis+sentinel://',
    'redis+sentinel://one:26379?name=',
    'redis+cluster://one:port',
    'redis+other://one',
  ])('refuses %s', (url) => {
    expect(() => createRedisClient(url)).toThrow();
  });
});
