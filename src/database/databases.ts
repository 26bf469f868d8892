import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Connection, Connections } from './connections.js';
import { createDataSource } from './data-source.js';
import type { GuardedPool } from './guarded-pool.js';
import { Line } from './line.js';
import { Pulse } from './pulse.js';
import { Readers, type WatchedReplica } from './readers.js';
import { Replica } from './replica.js';
import { poolOf } from './snapshots.js';

export interface DatabasesAround {
  readonly connections: Connections;
  readonly production: boolean;
  readonly entities: EntityTarget<ObjectLiteral>[];
  readonly monotonic: () => number;
  /** How long an answer and a connection are waited for, where it is not as long as in production. */
  readonly patienceMs?: number | undefined;
  readonly info: (message: string) => void;
  readonly warn: (message: string, error?: unknown) => void;
}

export interface Databases {
  readonly primary: DataSource;
  /** Of the primary. */
  readonly pulse: Pulse;
  readonly readers: Readers;
  close(): Promise<void>;
}

const POOL = {
  size: 10,
  statementTimeout: 5_000,
  applicationName: 'tidemark-api',
  // A caller is told within a second that the database cannot be had.
  waitMs: 900,
};
const BEAT_MS = 250;
// A beat and an answer that does not come are less than a second, and a statement slowed by 200 ms is in time.
const LINE = { applicationName: 'tidemark-pulse', answerMs: 500, connectMs: 1_500 };

/**
 * The server's databases, each watched by a pulse: one that does not answer is cut off, so that nobody waits for
 * it, until it answers again.
 */
export async function openDatabases(around: DatabasesAround): Promise<Databases> {
  const { connections, entities, patienceMs: waitMs = POOL.waitMs } = around;
  const primary = createDataSource(connections.to('api'), { ...POOL, waitMs }, entities);
  await primary.initialize();
  const pool = poolOf(primary) as GuardedPool;
  const pulse = watch(connections.to('api'), around, 'the database', {
    lost: () => pool.cut(),
    found: () => pool.restore(),
  });
  const { replica: copy } = connections;
  const watched = copy == null ? null : watchReplica(copy, around);
  await Promise.all([pulse.start(), watched?.pulse.start()]);
  return {
    primary,
    pulse,
    readers: new Readers(pool, watched),
    close: async () => {
      await Promise.all([pulse.stop(), watched?.pulse.stop()]);
      await Promise.all([primary.destroy(), watched?.replica.close()]);
    },
  };
}

function watchReplica(connection: Connection, around: DatabasesAround): WatchedReplica {
  const replica = new Replica(connection, {
    pool: POOL,
    production: around.production,
    onUnfit: (text) => around.warn(`${text}: the replica is not read`),
  });
  return { replica, pulse: watch(connection, around, 'the replica', replica) };
}

function watch(
  connection: Connection,
  { monotonic, info, warn, patienceMs: answerMs = LINE.answerMs }: DatabasesAround,
  name: string,
  watched: { lost(): void; found(): void },
): Pulse {
  let wasLost = false;
  return new Pulse(new Line(connection, { ...LINE, answerMs }), {
    everyMs: BEAT_MS,
    monotonic,
    onChange: (lost, error) => {
      if (lost) {
        warn(`${name} does not answer`, error);
        watched.lost();
      } else {
        if (wasLost) info(`${name} answers again`);
        watched.found();
      }
      wasLost = lost;
    },
  });
}
