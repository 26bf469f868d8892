// Keeps the server running: each process that uses it holds one shared advisory lock in a session of its own.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOGIN_ROLES, passwordOf, type Credentials } from './credentials.js';
import { codeOf, EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';
import type { Postmaster } from './postmaster.js';

// Advisory locks are per database: all processes lock in the one that every cluster has.
const LOCK_DATABASE = 'postgres';
const PARTICIPANTS_LOCK = 7_236_841_001;
const SETUP_LOCK = 7_236_841_002;
const CREDENTIAL_ERRORS = ['28P01', '28000', 'SASL_SIGNATURE_MISMATCH'];
const RELEASE_LIMIT_MS = 4_000;

export class ProcessLock {
  private releasing = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
    readonly postmaster: Postmaster,
  ) {}

  /**
   * Waits while the last process stops the server. Rejects with an `EmbeddedPostgresError` if a retry cannot help, with
   * any other error if the server is gone.
   */
  static async acquire(
    postmaster: Postmaster,
    credentials: Credentials,
    onLost: (deliberate: boolean) => void,
  ): Promise<ProcessLock> {
    const socket = new Socket();
    const client = new pg.Client({
      stream: () => socket,
      host: postmaster.host,
      port: postmaster.port,
      user: LOGIN_ROLES.admin,
      password: credentials.passwords.admin,
      database: LOCK_DATABASE,
      application_name: 'tidemark-process-lock',
      connectionTimeoutMillis: 5_000,
      lock_timeout: 30_000,
      keepAlive: true,
    });
    const lock = new ProcessLock(client, socket, postmaster);
    let held = false;
    let deliberate = false;
    client.on('error', (error) => (deliberate ||= error.message.includes('administrator command')));
    client.once('end', () => {
      if (held && !lock.releasing) onLost(deliberate);
    });
    try {
      await client.connect();
      await client.query('select pg_advisory_lock_shared($1)', [PARTICIPANTS_LOCK]);
      held = true;
      return lock;
    } catch (error) {
      lock.releasing = true;
      void client.end().catch(() => undefined);
      if (!CREDENTIAL_ERRORS.includes(codeOf(error) ?? '')) throw error;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL does not take the password in engine.json: ${messageOf(error)}`,
      );
    }
  }

  /** Creates the login roles and the database if they are missing; one process at a time. */
  async prepare(credentials: Credentials, database: string): Promise<void> {
    const { client } = this;
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    for (const role of ['import', 'api', 'account'] as const) {
      const name = LOGIN_ROLES[role];
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
      const password = client.escapeLiteral(passwordOf(credentials, role));
      if (rowCount === 0) await client.query(`create role ${client.escapeIdentifier(name)} login password ${password}`);
    }
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
    await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]);
  }

  /**
   * Releases the lock. `stop` runs if no other process holds it, before another can acquire it.
   * @returns false if the server did not say whether another process holds it
   */
  async release(stop: (pid: number) => Promise<unknown>): Promise<boolean> {
    this.releasing = true;
    const released = this.unlock(stop).then(
      () => true,
      () => false,
    );
    const limit = new AbortController();
    const timer = sleep(RELEASE_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    const isKnown = await Promise.race([released, timer]);
    limit.abort();
    // A server that does not respond must not keep this process alive.
    this.socket.destroy();
    return isKnown ?? false;
  }

  private async unlock(stop: (pid: number) => Promise<unknown>): Promise<void> {
    try {
      // The shared lock goes first: of two processes that release at once, one must find itself the last.
      await this.client.query('select pg_advisory_unlock_shared($1)', [PARTICIPANTS_LOCK]);
      const { rows } = await this.client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
        PARTICIPANTS_LOCK,
      ]);
      if (rows[0]?.last) await stop(this.postmaster.pid);
    } finally {
      await this.client.end();
    }
  }
}
