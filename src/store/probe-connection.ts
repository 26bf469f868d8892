import pg from 'pg';
import { destroySocket } from './circuit-breaker-pool.js';
import type { Connection } from './connections.js';
import { clientSettings } from './client-settings.js';
import { openSession } from './sessions.js';

export interface ProbeSettings {
  readonly applicationName: string;
  /** Milliseconds that a response may take on an open connection. */
  readonly answerMs: number;
  /** Milliseconds that connecting may take: several round trips, to a server that may have just restarted. */
  readonly connectMs: number;
}

class ProbeTimeout extends Error {}

/**
 * A dedicated connection for the heartbeat, so that an exhausted pool does not count as an outage. Each query has a
 * deadline; a connection that misses it is destroyed, and the next query opens another.
 */
export class ProbeConnection {
  private client: pg.Client | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly settings: ProbeSettings,
  ) {}

  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const { client } = this;
    if (client === null) return this.queryOn<Row>(await this.open(), sql, parameters);
    try {
      return await this.queryOn<Row>(client, sql, parameters);
    } catch (error) {
      if (error instanceof ProbeTimeout) throw error;
      // An ended session alone is no outage: try a new connection.
      this.drop(client);
      return this.queryOn<Row>(await this.open(), sql, parameters);
    }
  }

  close(): void {
    if (this.client !== null) this.drop(this.client);
  }

  private async open(): Promise<pg.Client> {
    const { applicationName, connectMs } = this.settings;
    const { role } = this.connection;
    const client = new pg.Client({
      ...clientSettings(this.connection, applicationName),
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
    client.on('error', () => this.drop(client));
    try {
      await client.connect();
      if (role !== null) await openSession(client, { statementTimeout: 0, role });
    } catch (error) {
      destroySocket(client);
      throw error;
    }
    this.client = client;
    return client;
  }

  private async queryOn<Row extends object>(client: pg.Client, sql: string, parameters: unknown[]): Promise<Row[]> {
    let timer: NodeJS.Timeout | undefined;
    let answered = false;
    const late = new Promise<never>((_, reject) => {
      const timeOut = () => {
        if (answered) return;
        this.drop(client);
        reject(new ProbeTimeout('The database did not answer in time'));
      };
      // If this process was busy, the response may wait unread in the socket: read it first.
      timer = setTimeout(() => setImmediate(timeOut), this.settings.answerMs);
    });
    try {
      const { rows } = await Promise.race([client.query<Row>(sql, parameters), late]);
      return rows;
    } finally {
      answered = true;
      clearTimeout(timer);
    }
  }

  private drop(client: pg.Client): void {
    if (this.client === client) this.client = null;
    destroySocket(client);
  }
}
