import type { ProbeConnection } from './probe-connection.js';

export interface HeartbeatState {
  /** Moves with every published data version. */
  readonly dataVersion: number;
  /** Moves with every change to an account or a key. */
  readonly accessVersion: number;
}

export interface HeartbeatOptions {
  readonly everyMs: number;
  readonly monotonic: () => number;
  /** Called after the first query, then each time the server is lost or responds again. */
  readonly onChange: (lost: boolean, error?: unknown) => void;
}

const QUERY = `SELECT (SELECT coalesce(max(data_version), 0) FROM publications)::int AS "dataVersion",
                      (SELECT version FROM access_version) AS "accessVersion"`;

/**
 * Polls the versions of content and access from a server, several times a second. Every cache of the instance depends
 * on one of the two. A query without a response in time marks the server as lost.
 */
export class Heartbeat {
  private state: HeartbeatState = { dataVersion: 0, accessVersion: 0 };
  private answeredAt = Number.NEGATIVE_INFINITY;
  /** Null before the first query. */
  private failed: boolean | null = null;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly connection: Pick<ProbeConnection, 'query' | 'close'>,
    private readonly options: HeartbeatOptions,
  ) {}

  get latest(): HeartbeatState {
    return this.state;
  }

  /** Milliseconds since the server last responded. */
  get age(): number {
    return this.options.monotonic() - this.answeredAt;
  }

  /** Whether the last query failed. */
  get lost(): boolean {
    return this.failed === true;
  }

  async start(): Promise<void> {
    await this.poll();
    this.timer = setInterval(() => void this.pollOnce(), this.options.everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    this.connection.close();
  }

  /** Polls now. A query already in progress may predate the caller's change, so a new one follows it. */
  async poll(): Promise<void> {
    await this.running;
    await this.pollOnce();
  }

  /** One query at a time, however slow the server is. */
  private pollOnce(): Promise<void> {
    this.running ??= this.query().finally(() => (this.running = undefined));
    return this.running;
  }

  private async query(): Promise<void> {
    // The age counts from the query: the response may be that old.
    const askedAt = this.options.monotonic();
    try {
      const [state] = await this.connection.query<HeartbeatState>(QUERY);
      if (state !== undefined) this.state = state;
      this.answeredAt = askedAt;
      this.setFailed(false);
    } catch (error) {
      this.setFailed(true, error);
    }
  }

  private setFailed(lost: boolean, error?: unknown): void {
    if (this.failed === lost) return;
    this.failed = lost;
    this.options.onChange(lost, error);
  }
}
