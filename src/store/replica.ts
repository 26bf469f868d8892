import { clientSettings } from './client-settings.js';
import type { Connection } from './connections.js';
import { poolOptions, type PoolSettings } from './data-source.js';
import { CircuitBreakerPool } from './circuit-breaker-pool.js';
import { unfitLogin } from './role-check.js';

export interface ReplicaOptions {
  readonly pool: PoolSettings;
  /** In production the API never reads a replica whose login has too many rights or that follows no primary. */
  readonly production: boolean;
  readonly onUnfit: (text: string) => void;
}

/**
 * A streaming replica for reads of content. It may be unreachable at the start; reads begin after the check of its
 * login's rights.
 */
export class Replica {
  readonly pool: CircuitBreakerPool;
  private login: 'unknown' | 'fit' | 'unfit' = 'unknown';
  private isThere = false;
  private checking: Promise<void> | undefined;

  constructor(
    connection: Connection,
    private readonly options: ReplicaOptions,
  ) {
    const client = clientSettings(connection, options.pool.applicationName);
    this.pool = new CircuitBreakerPool({ ...client, ...poolOptions(connection, options.pool) });
    this.pool.trip();
  }

  /** Whether reads may use it. Restarts a check that failed. */
  isUsable(): boolean {
    if (this.isThere && this.login === 'unknown') this.startCheck();
    return this.isThere && this.login === 'fit';
  }

  found(): void {
    this.isThere = true;
    this.pool.reset();
    this.startCheck();
  }

  /** Another server may come back at this address, so its login is checked again. */
  lost(): void {
    this.isThere = false;
    this.login = 'unknown';
    this.pool.trip();
  }

  async close(): Promise<void> {
    this.isThere = false;
    await this.checking;
    await this.pool.end();
  }

  private startCheck(): void {
    this.checking ??= this.check().finally(() => (this.checking = undefined));
  }

  private async check(): Promise<void> {
    try {
      const unfit = await this.unfit();
      this.login = unfit === null || !this.options.production ? 'fit' : 'unfit';
      if (unfit !== null && this.options.production) this.options.onUnfit(unfit);
    } catch {
      // Unreachable again or too busy: the login stays unknown.
    }
  }

  private async unfit(): Promise<string | null> {
    const ask = async <Row extends object>(sql: string) => (await this.pool.query<Row>(sql)).rows;
    const [server] = await ask<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows');
    // A promoted server diverges: its data versions have the same numbers and other content.
    if (server?.follows !== true) return 'a server of DATABASE_REPLICA_URL follows no other';
    return unfitLogin(ask, 'DATABASE_REPLICA_URL');
  }
}
