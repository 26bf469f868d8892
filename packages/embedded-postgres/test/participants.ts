import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { removeEmbeddedPostgres, type EmbeddedPostgres } from '../src/embedded-postgres.js';
import { findHome } from '../src/home.js';
import { findPostmaster } from '../src/postmaster.js';

export type Connection = ReturnType<EmbeddedPostgres['connection']>;

export interface Participant {
  readonly process: ChildProcess;
  readonly firstStart: boolean;
  readonly connection: Connection;
}

const children: ChildProcess[] = [];
const CHILD = path.join(__dirname, 'participant.mjs');

export async function newDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'tm-'));
}

/** Cleans up after a test: no process, server or file remains. */
export async function discard(dataDir: string): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await removeEmbeddedPostgres(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

/** As `participant`, without waiting until it uses the server. */
export function spawnParticipant(dataDir: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [CHILD, dataDir], { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', ...user });
  children.push(child);
  return child;
}

/** Starts another process that uses the server of this folder; runs the built code. */
export async function participant(dataDir: string, user: { uid?: number; gid?: number } = {}): Promise<Participant> {
  const child = spawnParticipant(dataDir, user);
  for await (const line of createInterface({ input: child.stdout })) {
    return { process: child, ...(JSON.parse(line) as Omit<Participant, 'process'>) };
  }
  throw new Error('the participant ended before it had joined');
}

export async function leave(one: Participant): Promise<void> {
  one.process.stdin?.end();
  await once(one.process, 'exit');
}

export async function killHard(one: Participant): Promise<void> {
  one.process.kill('SIGKILL');
  await once(one.process, 'exit');
}

export async function ask<Row extends pg.QueryResultRow>(connection: Connection, sql: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const home = await findHome(dataDir);
  return home && (await findPostmaster(home))?.pid;
}

/** Resolves when no server of this folder runs; the test's own time limit ends the wait. */
export async function serverEnds(dataDir: string): Promise<void> {
  while ((await postmasterPid(dataDir)) !== undefined) await sleep(20);
}

/** A test that only `npm run test:exhaustive` makes; `npm test` names it among those that it skips. */
export const itInFull = process.env['TIDEMARK_EXHAUSTIVE'] === '1' ? it : it.skip;
