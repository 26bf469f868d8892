import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { DailyUsage } from './usage.entity.js';

/** $1 accounts, $2 days, $3 counts; $4 the writer, $5 its batch number. A batch that is stored already adds nothing. */
const ADD = 'SELECT * FROM record_usage($1, $2, $3, $4, $5)';

/** $1 accounts, $2 days, $3 the writer: the statement reads its last batch in the same snapshot as the counts. */
const COUNTED = 'SELECT * FROM recorded_usage($1, $2, $3)';

/**
 * Far longer than a batch waits for its next attempt. An idle writer may be deleted too: it may start again at any
 * number.
 */
const FORGET = `DELETE FROM usage_writers WHERE written_at < now() - interval '7 days'`;

/** The count of an account's day in the database, and the requests that this process has yet to write. */
export interface RecordedDay {
  readonly accountId: string;
  readonly day: string;
  readonly used: number;
}

/** Sent again, unchanged, until the database confirms it. */
interface Batch {
  readonly number: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Writes admitted requests to the database at least once a second: a restart starts from these counts. */
export class UsageRecorder {
  private readonly id = randomUUID();
  private batches = 0;
  private pending = new Map<string, number>();
  /** Sent but not confirmed: the connection may break after the commit. */
  private unacknowledged: Batch | null = null;
  /** Days that the next read fetches. */
  private wanted: { readonly accountId: string; readonly day: string }[] = [];
  private reading: Promise<ReadonlyMap<string, number>> | null = null;
  /** Serialises writes and reads: a read never counts a batch in flight twice, or not at all. */
  private queue: Promise<unknown> = Promise.resolve();
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private onWritten: (days: readonly RecordedDay[]) => void = () => undefined;

  constructor(
    private readonly database: DataSource,
    private readonly everyMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.everyMs);
    this.timer.unref();
  }

  /** Reports each written day with its count in the database. */
  afterWriting(listener: (days: readonly RecordedDay[]) => void): void {
    this.onWritten = listener;
  }

  /** Accounts and days whose counts are not confirmed as written. */
  get waiting(): number {
    return new Set([...this.pending.keys(), ...(this.unacknowledged?.counts.keys() ?? [])]).size;
  }

  /** Counts one admitted request of an account on a UTC day. */
  count(accountId: string, day: string): void {
    const key = keyOf(accountId, day);
    this.pending.set(key, (this.pending.get(key) ?? 0) + 1);
  }

  /** Concurrent reads share one statement: after Redis lost its counts, every account needs one at once. */
  async read(accountId: string, day: string): Promise<number> {
    this.wanted.push({ accountId, day });
    this.reading ??= this.serially(() => this.runReads());
    return (await this.reading).get(keyOf(accountId, day)) ?? 0;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.queue;
  }

  /** Writes the pending counts; those that cannot be written stay pending. */
  async flush(): Promise<void> {
    if (this.pending.size === 0 && this.unacknowledged === null) return;
    // A queued write takes everything pending, so a slow database never has more than one queued.
    this.writing ??= this.serially(() => this.write());
    await this.writing;
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async runReads(): Promise<ReadonlyMap<string, number>> {
    const { wanted } = this;
    [this.wanted, this.reading] = [[], null];
    const rows = await this.database.query<(DailyUsage & { readonly batch: number | null })[]>(COUNTED, [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ day }) => day),
      this.id,
    ]);
    const { unacknowledged } = this;
    if (unacknowledged !== null && (rows[0]?.batch ?? 0) >= unacknowledged.number) this.unacknowledged = null;
    return new Map(rows.map((row) => [keyOf(row.accountId, row.day), this.recordedOf(row).used]));
  }

  private async write(): Promise<void> {
    this.writing = null;
    try {
      if (this.unacknowledged !== null) await this.send(this.unacknowledged);
      if (this.pending.size > 0) await this.send(this.takeBatch());
    } catch (error) {
      this.onFailure(error);
    }
  }

  private takeBatch(): Batch {
    this.batches += 1;
    const batch = { number: this.batches, counts: this.pending };
    this.pending = new Map();
    this.unacknowledged = batch;
    return batch;
  }

  private async send(batch: Batch): Promise<void> {
    // In a statement of its own: one that locks usage rows must not wait for another writer's lock.
    if (batch.number === 1) await this.database.query(FORGET);
    const keys = [...batch.counts.keys()].map((key) => key.split(' ', 2));
    const rows = await this.database.query<DailyUsage[]>(ADD, [
      keys.map(([, account]) => account),
      keys.map(([day]) => day),
      [...batch.counts.values()],
      this.id,
      batch.number,
    ]);
    this.unacknowledged = null;
    this.onWritten(rows.map((row) => this.recordedOf(row)));
  }

  private recordedOf({ accountId, day, admitted }: DailyUsage): RecordedDay {
    const key = keyOf(accountId, day);
    const here = (this.unacknowledged?.counts.get(key) ?? 0) + (this.pending.get(key) ?? 0);
    return { accountId, day, used: admitted + here };
  }
}

function keyOf(accountId: string, day: string): string {
  return `${day} ${accountId}`;
}
