import type { DataSource } from 'typeorm';
import type { DayCount } from './window-store.js';

const ADD = `
  INSERT INTO daily_usage (account_id, day, admitted)
  SELECT u.account_id, u.day, u.admitted
  FROM unnest($1::text[], $2::date[], $3::int[]) AS u (account_id, day, admitted)
  WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.day
  ON CONFLICT (account_id, day) DO UPDATE SET admitted = daily_usage.admitted + excluded.admitted`;

const COUNTED = `
  SELECT account_id AS "accountId", day, admitted
  FROM daily_usage JOIN unnest($1::text[], $2::date[]) AS asked (account_id, day) USING (account_id, day)`;

interface Asked {
  readonly accountId: string;
  readonly day: string;
  readonly resolve: (counted: DayCount) => void;
  readonly reject: (error: unknown) => void;
}

/** Brings what was admitted to the database at least each second: a restart starts from there. */
export class UsageLedger {
  private pending = new Map<string, number>();
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
    return this.pending.size;
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
    if (this.pending.size === 0) return;
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
      const rows = await this.database.query<{ accountId: string; day: string; admitted: number }[]>(
        COUNTED,
        [asked.map(({ accountId }) => accountId), asked.map(({ day }) => day)],
      );
      const counted = new Map(rows.map((row) => [keyOf(row.accountId, row.day), row.admitted]));
      for (const { accountId, day, resolve } of asked) {
        const key = keyOf(accountId, day);
        const used = (counted.get(key) ?? 0) + (this.pending.get(key) ?? 0);
        resolve({ used, ageMs: performance.now() - began });
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  private async write(): Promise<void> {
    this.writing = null;
    const batch = this.pending;
    this.pending = new Map();
    const written = this.onTaken();
    const keys = [...batch.keys()].map((key) => key.split(' ', 2));
    try {
      await this.database.query(ADD, [
        keys.map(([, account]) => account),
        keys.map(([day]) => day),
        [...batch.values()],
      ]);
      written();
    } catch (error) {
      for (const [key, count] of batch) this.pending.set(key, (this.pending.get(key) ?? 0) + count);
      this.onFailure(error);
    }
  }
}

function keyOf(accountId: string, day: string): string {
  return `${day} ${accountId}`;
}
