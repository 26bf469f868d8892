// The servers under comparison, each in its own process, all with one PostgreSQL and one Redis.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { Redis } from 'ioredis';
import { openAccess } from '../test/support/accounts.mjs';
import { freePort } from '../test/support/free-port.mjs';
import { registerOld } from '../test/support/register-old.mjs';
import { fourVintages, openDataFolder, ROOT, runCli, startNode, untilReady } from './workspace.mjs';

const BASE_URL = 'http://tidemark.example';
const PEPPER = { id: 'bench', value: 'only-for-measuring-0001' };
export const KEY_PEPPER = `${PEPPER.id}:${PEPPER.value}`;
/** Constant headers of every response. */
const HARDENING =
  /^(content-security-policy|cross-origin-|origin-agent|referrer-|strict-transport|x-content|x-dns|x-download|x-frame|x-permitted|x-xss)/;

export const CHANGES = '/api/v1/changes?limit=20';
export const MACRO = '/api/v1/macro/gdp-growth?region=CN';

/** An embedded server with the newest vintages of figures, and accounts on the Developer plan with one key each. */
export async function openStage(defer, { accounts, vintages: count }) {
  const { folder, dataDir, environment } = await openDataFolder(defer);
  const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
  const lease = await openEmbeddedPostgres({ dataDir });
  defer(() => lease.release());
  const { folder: from, days, kind } = await fourVintages(folder);
  console.error(`Importing ${count} vintages, ${kind} …`);
  const paths = days.slice(-count).map((day) => path.join(from, day));
  await runCli(environment, ['import', 'worldbank', '--accept', ...paths]);
  console.error(`Making ${accounts} accounts …`);
  const keys = await makeKeys(defer, lease, accounts);
  const postgres = await postmasterOf(dataDir);
  const own = { BASE_URL, KEY_PEPPER };
  return { environment: { ...environment, ...own }, folder, lease, keys, postgres };
}

/** @returns {Promise<string[]>} one key for each of `count` accounts on the Developer plan */
export async function makeKeys(defer, lease, count) {
  const connection = { ...lease.connection('account'), role: null };
  const { accounts } = await openAccess(defer, connection, PEPPER, 'bench');
  return (await accounts(count, 'developer')).map(({ text }) => text);
}

async function postmasterOf(dataDir) {
  const [{ findHome }, { findPostmaster }] = await Promise.all([
    import('@tidemark/embedded-postgres/home'),
    import('@tidemark/embedded-postgres/postmaster'),
  ]);
  return (await findPostmaster(await findHome(dataDir))).pid;
}

/** A separate Redis without persistence; null if none is installed. */
export async function startRedis(defer) {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (status !== 0) return null;
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for await (const line of child.stdout) if (String(line).includes('Ready to accept')) break;
  child.stdout.destroy();
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url);
  defer(() => client.disconnect());
  await registerOld(url);
  /** The number of scripts that Redis has run: one admits one request, or several of one account. */
  const counted = async () => {
    const said = await client.info('commandstats');
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(said)?.[1] ?? 0);
  };
  return { url, pid: child.pid, counted, version: /v=(\S+)/.exec(stdout)?.[1] };
}

export async function startOurs(defer, stage, { redisUrl = null, execArgv = [] }) {
  const port = await freePort();
  const own = { NODE_ENV: 'production', PORT: String(port), ...(redisUrl && { REDIS_URL: redisUrl }) };
  const environment = { ...stage.environment, ...own };
  const args = [...execArgv, path.join(ROOT, 'dist/main.js')];
  return started('ours', startNode(defer, args, { environment }), port, stage);
}

/** A server of `by-hand/` over tables of its own; it sends the same constant headers as ours. */
export async function startByHand(defer, stage, { name, script, table, redisUrl, connection, hardening }) {
  const port = await freePort();
  const settings = { port, table, redisUrl, connection, hardening, baseUrl: BASE_URL };
  const environment = { PATH: process.env.PATH, BENCH_SERVER: JSON.stringify(settings) };
  const program = path.join(import.meta.dirname, 'by-hand', script);
  return started(name, startNode(defer, [program], { environment }), port, stage);
}

/** The constant headers of a response of ours. */
export function hardeningIn({ headers }) {
  return Object.fromEntries(Object.entries(headers).filter(([header]) => HARDENING.test(header)));
}

async function started(name, server, port, stage) {
  await untilReady(`http://127.0.0.1:${port}${CHANGES}`, stage.keys[0], server);
  return { ...server, name, port };
}

/** One response, uncompressed, as the measuring client requests it. */
export async function sampleOf({ port }, question, key, more = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${question}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...more },
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
