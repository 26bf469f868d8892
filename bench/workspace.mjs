// A temporary data folder with the built service in it; everything is removed at the end.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from './generate.mjs';

export const ROOT = path.dirname(import.meta.dirname);
const SHARED = path.join(ROOT, '../shared/data/worldbank-wdi-vintages');
const GENERATED_DAYS = ['2025-12-17', '2026-04-01', '2026-05-01', '2026-07-01'];

export const built = (file) => import(path.join(ROOT, 'dist', file));

/**
 * Runs a measurement and then calls whatever it passed to `defer`, newest first: after success, failure and Ctrl-C
 * alike.
 */
export async function measuring(work) {
  if (process.platform !== 'linux') {
    console.error('The measurements read /proc and so need Linux.');
    process.exit(2);
  }
  const undo = [];
  let stopping;
  const cleanUp = () => (stopping ??= undoAll(undo));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cleanUp().then(() => process.exit(130)));
  const build = spawnSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
  try {
    if (build.status !== 0) throw new Error('the build failed');
    // During the clean-up, a deferred action runs at once.
    await work((step) => (stopping === undefined ? undo.push(step) : undoAll([step])));
  } catch (error) {
    if (stopping === undefined) console.error(error);
    process.exitCode = 1;
  }
  await cleanUp();
  process.exit();
}

/** A part of a measurement: its deferred actions run when it ends, at the latest with the whole. */
export async function within(defer, work) {
  const undo = [];
  defer(() => undoAll(undo));
  try {
    return await work((step) => undo.push(step));
  } finally {
    await undoAll(undo);
  }
}

/** Newest first; prints a failure and continues. */
export async function undoAll(undo) {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      console.error(`clean-up: ${error.message}`);
    }
  }
}

/** A new data folder for an embedded server, and the environment that points the service to it. */
export async function openDataFolder(defer) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-bench-'));
  defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = path.join(folder, 'data');
  defer(async () => (await import('@tidemark/embedded-postgres')).removeEmbeddedPostgres(dataDir));
  const { PATH, HOME, TMPDIR } = process.env;
  // The caller's environment is left out: otherwise its DATABASE_URL would be measured.
  const environment = { PATH, HOME, ...(TMPDIR && { TMPDIR }), DATA_DIR: dataDir };
  return { folder, dataDir, environment };
}

/** The publisher's own four vintages if they exist beside the repository, else generated ones of the same size. */
export async function fourVintages(folder) {
  if (existsSync(SHARED)) return { folder: SHARED, days: GENERATED_DAYS, kind: "the publisher's files" };
  const target = path.join(folder, 'vintages');
  await mkdir(target);
  await generate(target, { observations: 57_000, regions: 67, vintages: GENERATED_DAYS });
  return { folder: target, days: GENERATED_DAYS, kind: 'generated files' };
}

/** Runs `tidemark …`; returns its JSON, its seconds from spawn to exit, and its resource usage. */
export async function runCli(environment, commandLine) {
  const started = performance.now();
  const preload = path.join(import.meta.dirname, 'peak-memory.mjs');
  const child = spawn(
    process.execPath,
    ['--import', preload, path.join(ROOT, 'dist/cli.js'), ...commandLine, '--json'],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const [out, err, used] = await Promise.all([1, 2, 3].map((at) => textOf(child.stdio[at])));
  const status = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)));
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(`tidemark ${commandLine.join(' ')} ended with ${status}: ${err.trim()}`);
  return { answer: JSON.parse(out), seconds, ...JSON.parse(used) };
}

async function textOf(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}

/** Starts a Node program and stops it at the end. */
export function startNode(defer, args, { environment, stdio = ['ignore', 'ignore', 'inherit'] }) {
  const child = spawn(process.execPath, args, { env: environment, stdio });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  defer(stop);
  return { child, pid: child.pid, stop, ended };
}

/**
 * Repeats a request until its response is 200.
 * @returns the seconds since the call
 */
export async function untilReady(url, key, { ended, timeoutMs = 60_000 }) {
  const started = performance.now();
  let gone = false;
  void ended.then(() => (gone = true));
  while (performance.now() - started < timeoutMs) {
    if (gone) throw new Error(`the server of ${url} ended before it answered`);
    const status = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => null,
    );
    if (status === 200) return (performance.now() - started) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${url} does not answer`);
}
