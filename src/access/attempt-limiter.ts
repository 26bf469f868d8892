import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { tooManyAttempts } from './access-error.js';

export interface AttemptRate {
  /** Attempts that may follow one another immediately. */
  readonly burst: number;
  /** Interval between further attempts after a burst. */
  readonly everyMs: number;
}

/** $1 the subject, $2 now, $3 the interval and $4 the tolerance, in milliseconds */
const TAKE = `
  INSERT INTO attempt_limits AS l (subject, due_at) VALUES ($1, $2::timestamptz + $3 * interval '1 ms')
  ON CONFLICT (subject) DO UPDATE SET due_at = greatest(l.due_at, $2::timestamptz) + $3 * interval '1 ms'
  WHERE l.due_at <= $2::timestamptz + $4 * interval '1 ms'
  RETURNING due_at`;

/**
 * Spaces attempts by the generic cell rate algorithm, with one row per subject that all instances share. It delays but
 * never locks out: the next attempt is allowed within one interval.
 */
export class AttemptLimiter {
  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
  ) {}

  /** Whether the attempt is allowed now; an allowed attempt is counted. */
  async allows(subject: string, { burst, everyMs }: AttemptRate): Promise<boolean> {
    const parameters = [hashOf(subject), this.now(), everyMs, (burst - 1) * everyMs];
    return (await this.database.query<object[]>(TAKE, parameters)).length > 0;
  }

  /** @throws AccessError `too_many_attempts` with the time to wait */
  async take(subject: string, rate: AttemptRate): Promise<void> {
    if (await this.allows(subject, rate)) return;
    const [held] = await this.database.query<{ due: Date }[]>(
      'SELECT due_at AS due FROM attempt_limits WHERE subject = $1',
      [hashOf(subject)],
    );
    const tolerance = (rate.burst - 1) * rate.everyMs;
    throw tooManyAttempts((held?.due.getTime() ?? 0) - tolerance - this.now().getTime());
  }

  async forget(subject: string): Promise<void> {
    await this.database.query('DELETE FROM attempt_limits WHERE subject = $1', [hashOf(subject)]);
  }
}

/** Subjects contain addresses of people, so the table stores hashes. */
function hashOf(subject: string): Buffer {
  return createHash('sha256').update(subject).digest();
}
