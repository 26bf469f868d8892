// Several instances behind nginx, with a PostgreSQL and a Redis of the cluster. README.md lists the options.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../../bench/workspace.mjs';
import { openAccess } from '../../support/accounts.mjs';
import { startBalancer } from './balancer.mjs';
import { get } from './get.mjs';
import { makeInstance } from './instance.mjs';
import { readMetrics, sumOf } from './metrics.mjs';
import { startPostgres, startReplica } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { until } from './until.mjs';

const DEFAULTS = {
  instances: 3,
  environment: {},
  nodeArgs: [],
  redis: true,
  redisReplica: false,
  replica: false,
  delayable: [],
  content: 'starter',
  balancer: true,
};

/** @param {(step: () => unknown) => void} defer registers a step of the clean-up, which runs newest first */
export async function startCluster(defer, options = {}) {
  const asked = { ...DEFAULTS, ...options };
  const unknown = Object.keys(options).filter((name) => !(name in DEFAULTS));
  if (unknown.length > 0) throw new Error(`A cluster has no option ${unknown.join(', ')}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-cluster-'));
  await chmod(folder, 0o755);
  defer(() => rm(folder, { recursive: true, force: true }));
  const delayable = (name) => asked.delayable.includes(name);

  const [postgres, redis] = await Promise.all([
    startPostgres(defer, { folder, content: asked.content, delayable: delayable('postgres') }),
    asked.redis ? startRedis(defer, { folder, replica: asked.redisReplica, delayable: delayable('redis') }) : null,
  ]);
  const replicas = [];
  for (let number = 1; number <= Number(asked.replica); number += 1) {
    const name = `replica-${number}`;
    replicas.push(await startReplica(defer, postgres, { name, folder, delayable: delayable('replica') }));
  }
  const [replica = null] = replicas;

  const pepper = { id: 'cluster', value: randomBytes(24).toString('base64url') };
  const owner = { connectionString: postgres.url('admin'), role: null };
  const { access, accounts } = await openAccess(defer, owner, pepper, 'cluster');
  const operator = {
    KEY_PEPPER: `${pepper.id}:${pepper.value}`,
    DATABASE_URL: postgres.urlForService('api'),
    DATABASE_ACCOUNT_URL: postgres.urlForService('account'),
  };
  const environment = {
    ...operator,
    BASE_URL: 'http://tidemark.example',
    ...(redis && { REDIS_URL: redis.urlForService }),
    ...(replica && { DATABASE_REPLICA_URL: replicas.map((one) => one.urlForService('api')).join() }),
  };

  const instances = [];
  const ofIndex = (value, index) => (typeof value === 'function' ? value(index) : value);
  const add = async (as = {}) => {
    const index = instances.length;
    const own = { environment: ofIndex(asked.environment, index), nodeArgs: ofIndex(asked.nodeArgs, index), ...as };
    const instance = await makeInstance(defer, `instance-${index + 1}`, { folder, environment, as: own });
    instances.push(instance);
    return instance;
  };
  for (let count = 0; count < asked.instances; count += 1) await add();
  await Promise.all(instances.map((one) => one.start()));
  if (redis) {
    await until(30_000, 'the instances to count in Redis', async () => {
      const reports = await Promise.all(instances.map(({ url }) => get(`${url}/health/ready`)));
      return reports.every(({ text }) => JSON.parse(text).redis === 'up');
    });
  }
  const ports = () => instances.map((one) => one.port);
  const balancer = asked.balancer ? await startBalancer(defer, { folder, ports: ports() }) : null;

  return {
    folder,
    instances,
    postgres,
    replica,
    replicas,
    redis,
    redisReplica: redis?.follower ?? null,
    balancer,
    access,
    url: balancer?.url ?? instances[0]?.url,
    key: async (plan = 'developer') => (await accounts(1, plan))[0],
    keys: (count, plan = 'developer') => accounts(count, plan),
    /** Adds an instance, to which nginx sends requests from now on. */
    addInstance: async (as) => {
      const instance = await add(as);
      await instance.start();
      await balancer?.lead(ports());
      balancer?.reload();
      return instance;
    },
    metrics: (instance) => readMetrics(instance.metricsUrl),
    metric: async (instance, name, labels = {}) => sumOf(await readMetrics(instance.metricsUrl), name, labels),
    /** Runs `tidemark …` as the operator of this cluster. */
    cli: (args, more = {}) =>
      runCli(args, {
        ...operator,
        DATA_DIR: folder,
        DATABASE_IMPORT_URL: postgres.urlForService('import'),
        DATABASE_ADMIN_URL: postgres.urlForService('admin'),
        ...more,
      }),
  };
}

function runCli(args, environment) {
  return new Promise((resolve) => {
    const command = [path.join(ROOT, 'dist/cli.js'), ...args];
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, command, { env, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), out, error: err }),
    );
  });
}
