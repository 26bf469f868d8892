// A Redis of the cluster, without persistence: after a kill it comes back empty.
import { execFileSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { freePort } from '../../support/free-port.mjs';
import { registerOld } from '../../support/register-old.mjs';
import { Way } from './delay.mjs';
import { Program } from './program.mjs';
import { Ended, until } from './until.mjs';

export class RedisServer extends Program {
  /** @type {Way | null} */
  way = null;
  /** @type {RedisServer | null} */
  follower = null;

  constructor(name, port, folder) {
    super(name, () => ({
      file: 'redis-server',
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--repl-diskless-sync-delay', '0'],
      environment: {},
      folder,
    }));
    this.port = port;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  get urlForService() {
    return `redis://127.0.0.1:${this.way?.port ?? this.port}`;
  }

  async start() {
    super.start();
    await until(10_000, this.name, async () => {
      if (!this.running) throw new Ended(`${this.name} ended: ${this.output().slice(-500)}`);
      return (await this.command('PING')) === 'PONG';
    });
  }

  /** On a new connection, without any delay. */
  async command(name, ...args) {
    const client = new Redis(this.url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  flush() {
    return this.command('FLUSHALL');
  }

  delay(ms) {
    return this.#reached().delay(ms);
  }

  cut() {
    return this.#reached().cut();
  }

  silence() {
    return this.#reached().silence();
  }

  mend() {
    return this.#reached().mend();
  }

  /**
   * Kills the first, promotes the second, and redirects the address to it.
   * @returns {Promise<RedisServer>}
   */
  async failOver() {
    const { follower } = this;
    if (follower === null) throw new Error('The cluster has no "redisReplica"');
    await this.kill();
    await follower.command('REPLICAOF', 'NO', 'ONE');
    await this.#reached().moveTo(follower.port);
    return follower;
  }

  #reached() {
    if (this.way === null) throw new Error(`${this.name} is not among the cluster's "delayable"`);
    return this.way;
  }
}

export async function startRedis(defer, { folder, replica, delayable }) {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
  } catch {
    throw new Error('redis-server is missing: install Redis 7 (Debian: apt-get install redis-server)');
  }
  const first = new RedisServer('redis', await freePort(), folder);
  defer(() => first.end());
  await first.start();
  await registerOld(first.url);
  // Only a proxied address can be redirected.
  if (delayable || replica) first.way = await Way.to(first.port, defer);
  if (!replica) return first;
  const second = new RedisServer('redis replica', await freePort(), folder);
  defer(() => second.end());
  await second.start();
  await second.command('REPLICAOF', '127.0.0.1', String(first.port));
  await until(10_000, 'replication', async () =>
    String(await second.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  first.follower = second;
  return first;
}
