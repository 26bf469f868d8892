import { clientSettings } from './client-settings.js';
import type { Connection } from './connections.js';
import { poolOptions, type PoolSettings } from './data-source.js';
import { GuardedPool } from './guarded-pool.js';
import { unfitLogin } from './role-check.js';

export interface ReplicaOptions {
  readonly pool: PoolSettings;
  /** A login that could read what is withheld, or a server that follows none, is then never read. */
  readonly production: boolean;
  readonly onUnfit: (text: string) => void;
}

/**
 * A streaming copy of the database, for reading content. It need not be there at the start, and is not read
 * before its login is known to be no more than the API's.
 */
export class Replica {
  readonly pool: GuardedPool;
  private login: 'unknown' | 'fit' | 'unfit' = 'unknown';
  private isThere = false;
  private judging: Promise<void> | undefined;

  constructor(
    connection: Connection,
    private readonly options: ReplicaOptions,
  ) {
    const client = clientSettings(connection, options.pool.applicationName);
    this.pool = new GuardedPool({ ...client, ...poolOptions(options.pool) });
    this.pool.cut();
  }

  /** Whether it may be read. A judgement that came to nothing is begun again by the next who asks. */
  isUsable(): boolean {
    if (this.isThere && this.login === 'unknown') this.beginToJudge();
    return this.isThere && this.login === 'fit';
  }

  found(): void {
    this.isThere = true;
    this.pool.restore();
    this.beginToJudge();
  }

  /** When it comes back it may be another server, so its login is judged again. */
  lost(): void {
    this.isThere = false;
    this.login = 'unknown';
    this.pool.cut();
  }

  async close(): Promise<void> {
    this.isThere = false;
    await this.judging;
    await this.pool.end();
  }

  private beginToJudge(): void {
    this.judging ??= this.judge().finally(() => (this.judging = undefined));
  }

  private async judge(): Promise<void> {
    try {
      const unfit = await this.unfit();
      this.login = unfit === null || !this.options.production ? 'fit' : 'unfit';
      if (unfit !== null && this.options.production) this.options.onUnfit(unfit);
    } catch {
      // It went away again, or was too busy: nothing is known.
    }
  }

  private async unfit(): Promise<string | null> {
    const ask = async <Row extends object>(sql: string) => (await this.pool.query<Row>(sql)).rows;
    const [server] = await ask<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows');
    // One that was promoted goes its own way: its revisions have the same numbers and other content.
    if (server?.follows !== true) return 'the server of DATABASE_REPLICA_URL follows no other';
    return unfitLogin(ask, 'DATABASE_REPLICA_URL');
  }
}
