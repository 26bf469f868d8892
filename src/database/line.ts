import pg from 'pg';
import type { Connection } from './connections.js';
import { clientSettings } from './client-settings.js';

export interface LineSettings {
  readonly applicationName: string;
  /** Milliseconds that an answer may take on a line that is open. */
  readonly answerMs: number;
  /** Milliseconds that opening one may take: several round trips, and one to a server that was just away. */
  readonly connectMs: number;
}

class Unanswered extends Error {}

/**
 * A connection of its own for one kind of question, so that a crowded pool says nothing about the server. Each
 * question has a deadline; a line that missed one is given up, and the next question opens another.
 */
export class Line {
  private client: pg.Client | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly settings: LineSettings,
  ) {}

  async ask<Row extends object>(sql: string): Promise<Row[]> {
    const { client } = this;
    if (client === null) return this.askOver<Row>(await this.open(), sql);
    try {
      return await this.askOver<Row>(client, sql);
    } catch (error) {
      if (error instanceof Unanswered) throw error;
      // A session may be ended for reasons of its own: that alone says nothing about the server.
      this.drop(client);
      return this.askOver<Row>(await this.open(), sql);
    }
  }

  close(): void {
    if (this.client !== null) this.drop(this.client);
  }

  private async open(): Promise<pg.Client> {
    const { applicationName, connectMs } = this.settings;
    const client = new pg.Client({
      ...clientSettings(this.connection, applicationName),
      connectionTimeoutMillis: connectMs,
    });
    client.on('error', () => this.drop(client));
    try {
      await client.connect();
    } catch (error) {
      hangUp(client);
      throw error;
    }
    this.client = client;
    return client;
  }

  private async askOver<Row extends object>(client: pg.Client, sql: string): Promise<Row[]> {
    let timer: NodeJS.Timeout | undefined;
    let answered = false;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => {
        if (answered) return;
        this.drop(client);
        reject(new Unanswered('The database did not answer in time'));
      };
      // After a moment in which this process was busy the answer may lie in the socket, unread: read it first.
      timer = setTimeout(() => setImmediate(giveUp), this.settings.answerMs);
    });
    try {
      const { rows } = await Promise.race([client.query<Row>(sql), late]);
      return rows;
    } finally {
      answered = true;
      clearTimeout(timer);
    }
  }

  private drop(client: pg.Client): void {
    if (this.client === client) this.client = null;
    hangUp(client);
  }
}

/** Not a farewell: a server that does not answer would have to answer it. */
function hangUp(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
