import { ChangedAccounts, LISTED_ACCOUNTS } from './changed-accounts.js';
import type { ProbeConnection } from './probe-connection.js';

export interface HeartbeatState {
  /** Moves with every published data version. */
  readonly dataVersion: number;
  /** Moves with every change to an account, a key or an identity. */
  readonly accessVersion: number;
}

export interface HeartbeatOptions {
  readonly everyMs: number;
  readonly monotonic: () => number;
  /** Called after the first query, then each time the server is lost or responds again. */
  readonly onChange: (lost: boolean, error?: unknown) => void;
}

interface Row extends HeartbeatState {
  /** Whose changes moved the access version since the last query; null if they are no longer listed. */
  readonly changed: readonly string[] | null;
}

/** $1 the access version of the last query, null at the first */
const QUERY = `
  SELECT (SELECT coalesce(max(data_version), 0) FROM publications)::int AS "dataVersion", v.version AS "accessVersion",
         CASE WHEN v.version - $1::bigint BETWEEN 0 AND ${LISTED_ACCOUNTS}
           THEN ARRAY(SELECT DISTINCT account_id FROM changed_accounts WHERE version > $1) END AS changed
  FROM access_version v`;

/**
 * Polls the versions of content and access from a server, several times a second. Every cache of the instance depends
 * on one of the two. A query without a response in time marks the server as lost.
 */
export class Heartbeat {
  readonly accounts = new ChangedAccounts();
  private accessVersion: number | null = null;
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
    const requestedAt = this.options.monotonic();
    try {
      const [row] = await this.connection.query<Row>(QUERY, [this.accessVersion]);
      if (row !== undefined) {
        const { changed, ...state } = row;
        this.accounts.note(changed);
        this.accessVersion = state.accessVersion;
        this.state = state;
      }
      this.answeredAt = requestedAt;
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
