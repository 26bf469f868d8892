import { randomInt } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Heartbeat } from '../../src/store/heartbeat.js';
import type { RunningServer } from '../../src/server.js';
import { registerOld } from './register-old.mjs';
import { until } from './until.js';

// `TIDEMARK_TEST_INSTANCES=2`: each server of a suite consists of this many instances, which share a Redis, behind
// nginx with the deployment's own configuration. `test/external/together.mjs` lists the suites that can run so.

const NGINX_CONF = join(__dirname, '../../docker/nginx.conf');

/** The number of instances per server. */
export const INSTANCES = Number(process.env['TIDEMARK_TEST_INSTANCES'] ?? 1);

/** What the instances of one service need, beside their ports, to act as one. */
async function sharedEnvironment(): Promise<Record<string, string>> {
  const redis = process.env['TIDEMARK_TEST_REDIS'];
  if (redis === undefined) throw new Error('Several instances need TIDEMARK_TEST_REDIS');
  // Each service counts in a database of its own: all suites come from one address, which has a price for each act.
  const url = `${redis}/${randomInt(4_096)}`;
  await registerOld(url);
  return { REDIS_URL: url, TRUSTED_PROXIES: '127.0.0.1' };
}

/** Instances on these ports, as one server behind nginx at `port`. */
export async function startTogether(
  port: number,
  ports: readonly number[],
  start: (port: number, environment: Readonly<Record<string, string>>) => Promise<RunningServer>,
): Promise<RunningServer> {
  const servers: RunningServer[] = [];
  const environment = await sharedEnvironment();
  for (const own of ports) servers.push(await start(own, environment));
  const [first] = servers;
  if (first === undefined) throw new Error('No instance is none');
  const stopBalancer = await startBalancer(port, ports);
  const heartbeat = first.app.get(Heartbeat);
  // The heartbeat of one instance answers for all of them, because they share the database.
  const poll = async (): Promise<void> => {
    for (const { app } of servers) await app.get(Heartbeat).poll();
  };
  const heartbeats = new Proxy(heartbeat, {
    get: (target, name) => {
      const value: unknown = name === 'poll' ? poll : Reflect.get(target, name, target);
      return typeof value === 'function' && name !== 'poll' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    ...first,
    url: `http://127.0.0.1:${port}`,
    app: {
      get: ((token: unknown) =>
        token === Heartbeat ? heartbeats : first.app.get(token as never)) as typeof first.app.get,
    },
    close: async () => {
      await stopBalancer();
      for (const server of servers) await server.close();
    },
  };
}

/**
 * nginx with the deployment's own configuration, at `port`, in front of these instances. @returns a function that stops
 * it
 */
export async function startBalancer(port: number, ports: readonly number[], listen = ''): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-balancer-'));
  await mkdir(join(folder, 'nginx'));
  // If root starts nginx, its workers run as another user, who needs access to their temporary files.
  await chmod(folder, 0o755);
  await copyFile(NGINX_CONF, join(folder, 'nginx.conf'));
  await writeFile(join(folder, 'nginx/listen.conf'), `listen 127.0.0.1:${port};\n${listen}`);
  const lines = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=2s;\n`);
  await writeFile(join(folder, 'nginx/instances.conf'), lines.join(''));
  const args = ['-p', `${folder}/`, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(10_000, 'nginx', async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
      return (await fetch(`http://127.0.0.1:${port}`).catch(() => null))?.status === 200;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
