import { DAY_MS, minuteIndex } from './window.js';

/** Longer than a request stays in the minute that it is handed over for. */
const KEPT_MS = 61_000;

interface Mark {
  readonly takenAt: number;
  readonly writtenAt: number;
}

/** When what was admitted here came into the database. All times are of one clock. */
export class WrittenMarks {
  private marks: readonly Mark[] = [];
  /** The first of each minute of a day, oldest first. */
  private readonly ofMinutes: Mark[] = [];

  /** All that was admitted before `takenAt` is in the database since `writtenAt` at the latest. Times must not decrease. */
  add(takenAt: number, writtenAt: number): void {
    const mark = { takenAt, writtenAt };
    this.marks = [...this.marks.filter((known) => known.takenAt >= takenAt - KEPT_MS), mark];
    if (minuteIndex(takenAt) === minuteIndex(this.ofMinutes.at(-1)?.takenAt ?? -Infinity)) return;
    this.ofMinutes.push(mark);
    while ((this.ofMinutes[0]?.takenAt ?? takenAt) < takenAt - DAY_MS) this.ofMinutes.shift();
  }

  /** When a request of the last minute was written. Null: not yet, as far as is known. */
  of(admittedAt: number): number | null {
    return this.marks.find((mark) => mark.takenAt > admittedAt)?.writtenAt ?? null;
  }

  /** The same of a request of the last day, up to a minute late. */
  ofOld(admittedAt: number): number | null {
    let [from, to] = [0, this.ofMinutes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.ofMinutes[middle]?.takenAt ?? 0) > admittedAt) to = middle;
      else from = middle + 1;
    }
    return this.ofMinutes[from]?.writtenAt ?? this.of(admittedAt);
  }
}
