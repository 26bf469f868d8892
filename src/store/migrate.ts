import { setTimeout as wait } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import type { Connections } from './connections.js';
import { createDataSource } from './data-source.js';
import {
  findBlockers,
  IS_EMPTY,
  assessMigration,
  locksOf,
  type Blocker,
  type MigrationAssessment,
} from './migration-check.js';
import { wholeSchema } from './schema/schema-files.js';
import { errorParts } from './unavailable.js';

const POOL = { size: 1, statementTimeout: 0, applicationName: 'tidemark-migrate' };
/**
 * ALTER TABLE waits for running readers, and every later reader queues behind it. So a migration stops waiting before
 * they notice, and is retried after the queue has drained. A second of waiting would let PostgreSQL look for deadlocks,
 * of which it ends any party.
 */
const LOCK_TIMEOUT = '300ms';
const PAUSE_MS = 1_000;
const TRIES = 90;
/** Any constant: instances that start at the same time migrate one after another. */
const LOCK = 7_446_701;
/** lock_not_available, deadlock_detected */
const BLOCKED = ['55P03', '40P01'];

/**
 * Migrates schema and roles to the current version, in one transaction; returns the names of the migrations that ran.
 * @param onWait called while another session, such as an import, uses a table that a migration changes
 * @throws before the first statement if the login lacks a right, or a running instance could not serve afterwards
 * @throws if a table is still in use after two minutes; no migration stays applied
 */
export async function migrate(connections: Connections, onWait: () => void = () => undefined): Promise<string[]> {
  return withDatabase(connections, async (database) => {
    const assessment = await assessMigration(database, connections.engine);
    if (assessment.pending.length === 0) return [];
    if (assessment.refusal !== null) throw new Error(`nothing was migrated: ${assessment.refusal}`);
    for (let tries = 1; ; tries += 1) {
      try {
        return await runPending(database);
      } catch (error) {
        if (!isBlocked(error) || tries === TRIES) throw error;
        if (tries === 1) onWait();
        await wait(PAUSE_MS);
      }
    }
  });
}

export interface MigrationCheck extends MigrationAssessment {
  readonly blockers: readonly Blocker[];
}

/** What `migrate` would do, and what stands in its way. Changes nothing. */
export function checkMigration(connections: Connections): Promise<MigrationCheck> {
  return withDatabase(connections, async (database) => {
    const assessment = await assessMigration(database, connections.engine);
    return { ...assessment, blockers: await findBlockers(database, assessment.locks) };
  });
}

async function withDatabase<T>(connections: Connections, work: (database: DataSource) => Promise<T>): Promise<T> {
  const database = await createDataSource(connections.to('admin'), POOL).initialize();
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

async function runPending(database: DataSource): Promise<string[]> {
  const runner = database.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SET LOCAL lock_timeout = 0');
    await runner.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await runner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const ran = await execute(database, runner);
    await runner.commitTransaction();
    return ran;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** An empty database gets the schema of this version, which contains what the migrations would do. */
async function execute(database: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(database, runner);
  // Only now: another process may have migrated in the meantime.
  const pending = await executor.getPendingMigrations();
  const [{ empty }] = (await runner.query(IS_EMPTY)) as [{ empty: boolean }];
  if (empty) await runner.query(wholeSchema());
  else {
    // All at once, so that no reader waits behind one while the migration waits for another.
    const locks = await existing(runner, locksOf(pending));
    if (locks.length > 0) await runner.query(`LOCK TABLE ${locks.join(', ')}`);
  }
  for (const migration of pending) {
    if (!empty) await migration.instance?.up(runner);
    await executor.insertMigration(migration);
  }
  return pending.map(({ name }) => name);
}

/** A table that one of the migrations makes is not there yet. */
async function existing(runner: QueryRunner, tables: readonly string[]): Promise<string[]> {
  const rows = (await runner.query('SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL', [
    tables,
  ])) as { name: string }[];
  return rows.map(({ name }) => name);
}

const isBlocked = (error: unknown): boolean => BLOCKED.includes(String(errorParts(error).code));
