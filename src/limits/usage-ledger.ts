import type { DataSource } from 'typeorm';

const ADD = `
  INSERT INTO daily_usage (account_id, day, admitted)
  SELECT u.account_id, u.day, u.admitted
  FROM unnest($1::text[], $2::date[], $3::int[]) AS u (account_id, day, admitted)
  WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.day
  ON CONFLICT (account_id, day) DO UPDATE SET admitted = daily_usage.admitted + excluded.admitted`;

const COUNTED = 'SELECT admitted FROM daily_usage WHERE account_id = $1 AND day = $2';

/** Brings what was admitted to the database at least each second: a restart starts from there. */
export class UsageLedger {
  private pending = new Map<string, number>();
  /** Writing and reading take turns: what is on its way is never counted twice, or not at all. */
  private turn: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly everyMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.everyMs);
    this.timer.unref();
  }

  /** Counts one admitted request of an account on a UTC day. */
  count(accountId: string, day: string): void {
    const key = keyOf(accountId, day);
    this.pending.set(key, (this.pending.get(key) ?? 0) + 1);
  }

  /** What the day has had so far: in the database, and here on its way to it. */
  countedOn(accountId: string, day: string): Promise<number> {
    return this.inTurn(async () => {
      const [row] = await this.database.query<{ admitted: number }[]>(COUNTED, [accountId, day]);
      return (row?.admitted ?? 0) + (this.pending.get(keyOf(accountId, day)) ?? 0);
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    await this.turn;
  }

  /** Writes what is pending; what cannot be written stays pending. */
  flush(): Promise<void> {
    return this.pending.size === 0 ? Promise.resolve() : this.inTurn(() => this.write());
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async write(): Promise<void> {
    const batch = this.pending;
    this.pending = new Map();
    const keys = [...batch.keys()].map((key) => key.split(' ', 2));
    try {
      await this.database.query(ADD, [
        keys.map(([, account]) => account),
        keys.map(([day]) => day),
        [...batch.values()],
      ]);
    } catch (error) {
      for (const [key, count] of batch) this.pending.set(key, (this.pending.get(key) ?? 0) + count);
      this.onFailure(error);
    }
  }
}

function keyOf(accountId: string, day: string): string {
  return `${day} ${accountId}`;
}
