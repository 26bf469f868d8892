// Directus beside us: installed into a cache folder, never a dependency, over a table with sixteen columns of its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../test/support/free-port.mjs';
import { startNode } from './workspace.mjs';

const VERSION = '12.4.0';
const FOLDER = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'),
  `tidemark-bench/directus-${VERSION}`,
);
const ADMIN = 'bench-administrator-0001';
const READER = 'bench-reader-0001';
const TIMEOUT_MS = 180_000;

/** @returns the program's path; null with the reason on the terminal if it cannot be installed here */
export async function installDirectus() {
  const program = path.join(FOLDER, 'node_modules/directus/cli.js');
  if (existsSync(program)) return program;
  console.error(`Installing Directus ${VERSION} into ${FOLDER} …`);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, 'package.json'), '{"private":true}');
  // Only the one package that Directus cannot start without is compiled.
  for (const command of [
    ['install', '--ignore-scripts', `directus@${VERSION}`],
    ['rebuild', '--ignore-scripts=false', 'isolated-vm'],
  ]) {
    const { status, stderr } = spawnSync('npm', [...command, '--no-audit', '--no-fund', '--silent'], {
      cwd: FOLDER,
      encoding: 'utf8',
    });
    if (status === 0) continue;
    await rm(FOLDER, { recursive: true });
    console.error(`Directus is left out: npm ${command[0]} ended with ${status}: ${stderr.trim().slice(-300)}`);
    return null;
  }
  return program;
}

/**
 * Two servers over one database of their own, with and without their response cache; limits and cache in Redis. A
 * reader's static token takes the place of our keys.
 * @param from the database with `flat_changes`
 */
export async function startDirectus(defer, program, { name, from, redisUrl }) {
  await copyDatabase(from, name);
  const database = { ...from, database: name };
  const common = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    SECRET: 'only-for-measuring-0001',
    DB_CLIENT: 'pg',
    DB_HOST: database.host,
    DB_PORT: String(database.port),
    DB_DATABASE: database.database,
    DB_USER: database.user,
    DB_PASSWORD: database.password,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '6',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: ADMIN,
    ADMIN_TOKEN: ADMIN,
    REDIS: redisUrl,
    RATE_LIMITER_ENABLED: 'true',
    RATE_LIMITER_STORE: 'redis',
    RATE_LIMITER_POINTS: '1000000',
    RATE_LIMITER_DURATION: '1',
    TELEMETRY: 'false',
    NO_UPDATE_NOTIFIER: '1',
    LOG_STYLE: 'raw',
    NODE_ENV: 'production',
  };
  const bootstrap = spawnSync(process.execPath, [program, 'bootstrap'], { cwd: FOLDER, env: common, encoding: 'utf8' });
  if (bootstrap.status !== 0) throw new Error(`directus bootstrap: ${bootstrap.stderr.slice(-500)}`);
  const start = async (label, more) => {
    const port = await freePort();
    const environment = { ...common, ...more, PORT: String(port) };
    const server = startNode(defer, [program, 'start'], { environment });
    await untilAlive(port, server);
    return { ...server, name: label, port };
  };
  const directus = await start('Directus, cache off', { CACHE_ENABLED: 'false' });
  await admitReader(directus.port);
  const directusCached = await start('Directus, cache on', {
    CACHE_ENABLED: 'true',
    CACHE_STORE: 'redis',
    CACHE_TTL: '30m',
    CACHE_STATUS_HEADER: 'x-cache-status',
  });
  const ask = () => ({ path: '/items/flat_changes?limit=20&sort=-id', headers: { authorization: `Bearer ${READER}` } });
  await requireHits(directusCached, ask());
  return { directus: { ...directus, ask }, directusCached };
}

/** The database of the contenders by hand is the template; nobody is connected to it yet. */
async function copyDatabase(from, name) {
  const client = new pg.Client({ ...from, database: 'postgres' });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${from.database}`);
  await client.end();
}

async function untilAlive(port, { ended }) {
  let gone = false;
  void ended.then(() => (gone = true));
  const began = performance.now();
  while (!gone && performance.now() - began < TIMEOUT_MS) {
    const isAlive = await fetch(`http://127.0.0.1:${port}/server/ping`).then(
      (response) => response.ok,
      () => false,
    );
    if (isAlive) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Directus did not start');
}

/** @throws unless its cache serves a repeated request */
async function requireHits({ port }, { path: target, headers }) {
  let status;
  for (let time = 0; time < 2; time += 1) {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers });
    await response.arrayBuffer();
    status = response.headers.get('x-cache-status');
  }
  if (status !== 'HIT') throw new Error(`Directus does not cache: ${status}`);
}

/** A role that reads the table, and one user of it. */
async function admitReader(port) {
  const post = async (target, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/${target}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Directus, ${target}: ${text.slice(0, 300)}`);
    return JSON.parse(text).data;
  };
  const { id: policy } = await post('policies', { name: 'reader', app_access: false, admin_access: false });
  const { id: role } = await post('roles', { name: 'reader', policies: [{ policy }] });
  await post('permissions', { policy, collection: 'flat_changes', action: 'read', fields: ['*'] });
  await post('users', { email: 'reader@example.com', role, token: READER, status: 'active' });
}
