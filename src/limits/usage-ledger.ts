import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { DayCount } from './window-store.js';

/** $1 accounts, $2 days, $3 how many; $4 the writer, $5 its batch. A batch that is in already adds nothing. */
const ADD = `
  WITH fresh AS (
    INSERT INTO usage_writers AS w (id, batch) VALUES ($4, $5)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE w.batch < excluded.batch
    RETURNING w.batch)
  INSERT INTO daily_usage (account_id, day, admitted)
  SELECT u.account_id, u.day, u.admitted
  FROM unnest($1::text[], $2::date[], $3::int[]) AS u (account_id, day, admitted)
  WHERE EXISTS (SELECT 1 FROM fresh) AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.day
  ON CONFLICT (account_id, day) DO UPDATE SET admitted = daily_usage.admitted + excluded.admitted`;

/** $1 accounts, $2 days, $3 the writer, whose last batch is said of the same moment as the counts. */
const COUNTED = `
  SELECT account_id AS "accountId", day, coalesce(admitted, 0) AS admitted,
         (SELECT batch FROM usage_writers WHERE id = $3) AS batch
  FROM unnest($1::text[], $2::date[]) AS asked (account_id, day) LEFT JOIN daily_usage USING (account_id, day)`;

/** Far longer than a batch waits to be sent again. A writer that was only idle may go too: it starts with any number. */
const FORGET = `DELETE FROM usage_writers WHERE written_at < now() - interval '7 days'`;

interface CountedRow {
  readonly accountId: string;
  readonly day: string;
  readonly admitted: number;
  readonly batch: number | null;
}

interface Asked {
  readonly accountId: string;
  readonly day: string;
  readonly resolve: (counted: DayCount) => void;
  readonly reject: (error: unknown) => void;
}

/** What was taken to be written at one time. Sent until it is known to be in the database, always as it is. */
interface Batch {
  readonly number: number;
  readonly counts: ReadonlyMap<string, number>;
  /** What `onTaken` gave. */
  readonly written: () => void;
}

/** Brings what was admitted to the database at least each second: a restart starts from there. */
export class UsageLedger {
  private readonly id = randomUUID();
  private batches = 0;
  private pending = new Map<string, number>();
  /** Whether the database has it nobody has said yet, or ever will: a connection may break after the commit. */
  private unsettled: Batch | null = null;
  private asked: Asked[] = [];
  /** Writing and reading take turns: what is on its way is never counted twice, or not at all. */
  private turn: Promise<unknown> = Promise.resolve();
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly everyMs: number,
    private readonly onFailure: (error: unknown) => void,
    /** Called as all that was counted is taken to be written; what it gives, once that is in the database. */
    private readonly onTaken: () => () => void = () => () => undefined,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.everyMs);
    this.timer.unref();
  }

  /** Accounts and days whose counts wait to be written. */
  get waiting(): number {
    return new Set([...this.pending.keys(), ...(this.unsettled?.counts.keys() ?? [])]).size;
  }

  /** Counts one admitted request of an account on a UTC day. */
  count(accountId: string, day: string): void {
    const key = keyOf(accountId, day);
    this.pending.set(key, (this.pending.get(key) ?? 0) + 1);
  }

  /**
   * What the day has had so far: in the database, and here on its way to it. All that wait for their turn share one
   * question: a Redis that has lost its counts makes every account ask at once.
   */
  countedOn(accountId: string, day: string): Promise<DayCount> {
    return new Promise((resolve, reject) => {
      this.asked.push({ accountId, day, resolve, reject });
      if (this.asked.length === 1) void this.inTurn(() => this.read());
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.turn;
  }

  /** Writes what is pending; what cannot be written stays pending. */
  async flush(): Promise<void> {
    if (this.pending.size === 0 && this.unsettled === null) return;
    // One that waits for its turn takes all there is: behind a slow database no more of them line up.
    this.writing ??= this.inTurn(() => this.write());
    await this.writing;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async read(): Promise<void> {
    const { asked } = this;
    this.asked = [];
    const began = performance.now();
    try {
      const rows = await this.database.query<CountedRow[]>(COUNTED, [
        asked.map(({ accountId }) => accountId),
        asked.map(({ day }) => day),
        this.id,
      ]);
      const { unsettled } = this;
      if (unsettled !== null && (rows[0]?.batch ?? 0) >= unsettled.number) this.settle(unsettled);
      const counted = new Map(rows.map((row) => [keyOf(row.accountId, row.day), row.admitted]));
      for (const { accountId, day, resolve } of asked) {
        const key = keyOf(accountId, day);
        const here = (this.unsettled?.counts.get(key) ?? 0) + (this.pending.get(key) ?? 0);
        resolve({ used: (counted.get(key) ?? 0) + here, ageMs: performance.now() - began });
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  private async write(): Promise<void> {
    this.writing = null;
    try {
      if (this.unsettled !== null) await this.send(this.unsettled);
      if (this.pending.size > 0) await this.send(this.take());
    } catch (error) {
      this.onFailure(error);
    }
  }

  private take(): Batch {
    this.batches += 1;
    const batch = { number: this.batches, counts: this.pending, written: this.onTaken() };
    this.pending = new Map();
    this.unsettled = batch;
    return batch;
  }

  private async send(batch: Batch): Promise<void> {
    // By itself: a statement that holds rows of use must not wait for another writer's.
    if (batch.number === 1) await this.database.query(FORGET);
    const keys = [...batch.counts.keys()].map((key) => key.split(' ', 2));
    await this.database.query(ADD, [
      keys.map(([, account]) => account),
      keys.map(([day]) => day),
      [...batch.counts.values()],
      this.id,
      batch.number,
    ]);
    this.settle(batch);
  }

  private settle(batch: Batch): void {
    this.unsettled = null;
    batch.written();
  }
}

function keyOf(accountId: string, day: string): string {
  return `${day} ${accountId}`;
}
