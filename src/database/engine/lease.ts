// A participant's hold on the engine: one session that shares an advisory lock with all the others.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOGIN_ROLES, type EngineCredentials } from './credentials.js';
import { codeOf, EngineError, messageOf } from './engine-error.js';
import type { Postmaster } from './postmaster.js';

// Advisory locks count per database: leases are taken in the one that every cluster has.
const LEASE_DATABASE = 'postgres';
const LEASE_LOCK = 7_236_841_001;
const SETUP_LOCK = 7_236_841_002;
const CREDENTIAL_ERRORS = ['28P01', '28000', 'SASL_SIGNATURE_MISMATCH'];
const GOODBYE_LIMIT_MS = 4_000;

export class LeaseSession {
  private leaving = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
    readonly postmaster: Postmaster,
  ) {}

  /**
   * Waits while a last participant is stopping the server. Rejects with an `EngineError` where waiting is of no use,
   * with anything else when the server is not (or no longer) there.
   */
  static async open(
    postmaster: Postmaster,
    credentials: EngineCredentials,
    onLost: (deliberate: boolean) => void,
  ): Promise<LeaseSession> {
    const socket = new Socket();
    const client = new pg.Client({
      stream: () => socket,
      host: postmaster.host,
      port: postmaster.port,
      user: LOGIN_ROLES.admin,
      password: credentials.passwords.admin,
      database: LEASE_DATABASE,
      application_name: 'tidemark-lease',
      connectionTimeoutMillis: 5_000,
      lock_timeout: 30_000,
      keepAlive: true,
    });
    const session = new LeaseSession(client, socket, postmaster);
    let held = false;
    let deliberate = false;
    client.on('error', (error) => (deliberate ||= error.message.includes('administrator command')));
    client.once('end', () => {
      if (held && !session.leaving) onLost(deliberate);
    });
    try {
      await client.connect();
      await client.query('select pg_advisory_lock_shared($1)', [LEASE_LOCK]);
      held = true;
      return session;
    } catch (error) {
      session.leaving = true;
      void client.end().catch(() => undefined);
      if (!CREDENTIAL_ERRORS.includes(codeOf(error) ?? '')) throw error;
      throw new EngineError(
        `The embedded engine does not take the password in engine.json: ${messageOf(error)}`,
      );
    }
  }

  /** Makes the login roles and the database where they are missing; one participant at a time. */
  async prepare(credentials: EngineCredentials, database: string): Promise<void> {
    const { client } = this;
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    for (const role of ['import', 'api'] as const) {
      const name = LOGIN_ROLES[role];
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [name]);
      const password = client.escapeLiteral(credentials.passwords[role]);
      if (rowCount === 0)
        await client.query(`create role ${client.escapeIdentifier(name)} login password ${password}`);
    }
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
    await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]);
  }

  /** Gives the hold back; `stop` runs when nobody else holds the engine, before a newcomer could. */
  async close(stop: (pid: number) => Promise<unknown>): Promise<void> {
    this.leaving = true;
    const goodbye = this.leave(stop).catch(() => undefined);
    const limit = new AbortController();
    const timer = sleep(GOODBYE_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([goodbye, timer]);
    limit.abort();
    // A server that does not answer must not keep the process.
    this.socket.destroy();
  }

  private async leave(stop: (pid: number) => Promise<unknown>): Promise<void> {
    try {
      // Given back before it is asked for alone: of two leaving at once one must see that it is the last.
      await this.client.query('select pg_advisory_unlock_shared($1)', [LEASE_LOCK]);
      const { rows } = await this.client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
        LEASE_LOCK,
      ]);
      if (rows[0]?.last) await stop(this.postmaster.pid);
    } finally {
      await this.client.end();
    }
  }
}
