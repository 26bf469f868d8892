import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CLOCK, type Clock } from '../domain/config/clock.js';
import { CONNECT_TIMEOUT, type CircuitBreakerPool } from './circuit-breaker-pool.js';
import { CONNECTIONS, type Connection, type Connections } from './connections.js';
import { dataSourceOptions } from './data-source.js';
import { Heartbeat } from './heartbeat.js';
import { ProbeConnection } from './probe-connection.js';
import { ReadRouter, type WatchedReplica } from './read-router.js';
import { Replica } from './replica.js';
import { poolOf } from './snapshots.js';
import { provider, type Token } from '../domain/config/provider.js';

/** Time limits of the API's database access, in milliseconds. Tests on a busy machine replace them. */
export interface DatabaseTimeouts {
  /** For the response to a heartbeat query. */
  readonly heartbeatMs: number;
  /** For a connection from the pool. */
  readonly connectionMs: number;
}

/** Receives the state changes of the servers. */
export interface DatabaseLog {
  info(message: string): void;
  warn(message: string, fields?: object): void;
}

export const DATABASE_TIMEOUTS: Token<DatabaseTimeouts> = Symbol('DatabaseTimeouts');
export const DATABASE_LOG: Token<DatabaseLog> = Symbol('DatabaseLog');
/** In production the API refuses a replica whose login has too many rights. */
export const IS_PRODUCTION: Token<boolean> = Symbol('IsProduction');
const REPLICAS: Token<readonly WatchedReplica[]> = Symbol('WatchedReplicas');

/**
 * The time limit of a heartbeat plus its interval stays below one second, so a request learns of an outage within a
 * second; a statement that takes 200 ms longer than usual still passes.
 */
export const PRODUCTION_TIMEOUTS: DatabaseTimeouts = { heartbeatMs: 500, connectionMs: 900 };
const HEARTBEAT_INTERVAL_MS = 250;
// Statements of requests take milliseconds: one that waits for a lock must free its connection soon.
const POOL = { size: 10, min: 2, statementTimeout: 2_000, applicationName: 'tidemark-api' };
const PROBE = { applicationName: 'tidemark-heartbeat', connectMs: 1_500 };

/** The API's primary and its replicas. A heartbeat watches each server and trips its pool during an outage. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONNECTIONS, DATABASE_TIMEOUTS],
      useFactory: (connections: Connections, { connectionMs }: DatabaseTimeouts) => ({
        ...dataSourceOptions(connections.to('api'), { ...POOL, waitMs: connectionMs }),
        autoLoadEntities: true,
        // A start without a database fails at once: the supervisor restarts the process. No request waits for a start, so
        // it gives a slow database more time than a request may wait.
        toRetry: isConnectTimeout,
        retryAttempts: 10,
        retryDelay: 200,
      }),
    }),
  ],
  providers: [
    provider(Heartbeat, [DataSource, CONNECTIONS, CLOCK, DATABASE_TIMEOUTS, DATABASE_LOG], primaryHeartbeat),
    provider(
      REPLICAS,
      [CONNECTIONS, CLOCK, DATABASE_TIMEOUTS, DATABASE_LOG, IS_PRODUCTION],
      ({ replicas = [] }, ...rest) => replicas.map((connection) => watchedReplica(connection, ...rest)),
    ),
    provider(ReadRouter, [DataSource, REPLICAS], (primary, replicas) => new ReadRouter(poolOf(primary), replicas)),
  ],
  exports: [TypeOrmModule, Heartbeat, ReadRouter],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly heartbeat: Heartbeat,
    @Inject(REPLICAS) private readonly replicas: readonly WatchedReplica[],
  ) {}

  private get heartbeats() {
    return [this.heartbeat, ...this.replicas.map(({ heartbeat }) => heartbeat)];
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.heartbeats.map((heartbeat) => heartbeat.start()));
  }

  /** TypeORM's own module closes the primary's pool. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.heartbeats.map((heartbeat) => heartbeat.stop()));
    await Promise.all(this.replicas.map(({ replica }) => replica.close()));
  }
}

function isConnectTimeout(error: Error): boolean {
  return error.message === CONNECT_TIMEOUT;
}

function primaryHeartbeat(
  primary: DataSource,
  connections: Connections,
  ...rest: [Clock, DatabaseTimeouts, DatabaseLog]
): Heartbeat {
  const pool = poolOf(primary) as CircuitBreakerPool;
  const server = { name: 'the database', onLost: () => pool.trip(), onFound: () => pool.reset() };
  return heartbeatOf(server, connections.to('api'), ...rest);
}

function watchedReplica(
  connection: Connection,
  clock: Clock,
  timeouts: DatabaseTimeouts,
  log: DatabaseLog,
  production: boolean,
): WatchedReplica {
  const name = addressOf(connection);
  const replica = new Replica(connection, {
    pool: { ...POOL, waitMs: timeouts.connectionMs },
    production,
    onUnfit: (text) => log.warn(`${text}: the replica at ${name} is not read`),
  });
  const server = { name: `the replica at ${name}`, onLost: () => replica.lost(), onFound: () => replica.found() };
  return { name, replica, heartbeat: heartbeatOf(server, connection, clock, timeouts, log) };
}

/** Without user and password. */
function addressOf({ connectionString = '', host = '', port = 5432 }: Connection): string {
  return URL.canParse(connectionString) ? new URL(connectionString).host : `${host}:${port}`;
}

interface WatchedServer {
  readonly name: string;
  readonly onLost: () => void;
  readonly onFound: () => void;
}

function heartbeatOf(
  { name, onLost, onFound }: WatchedServer,
  connection: Connection,
  clock: Clock,
  { heartbeatMs }: DatabaseTimeouts,
  log: DatabaseLog,
): Heartbeat {
  let wasLost = false;
  return new Heartbeat(new ProbeConnection(connection, { ...PROBE, answerMs: heartbeatMs }), {
    everyMs: HEARTBEAT_INTERVAL_MS,
    monotonic: () => clock.monotonic(),
    onChange: (lost, error) => {
      if (lost) {
        log.warn(`${name} does not answer`, { error: error instanceof Error ? error.message : error });
        onLost();
      } else {
        if (wasLost) log.info(`${name} answers again`);
        onFound();
      }
      wasLost = lost;
    },
  });
}
