/** Longer than a request stays in the minute that it is handed over for. */
const KEPT_MS = 61_000;

/** When what was admitted here came into the database. All times are of one clock. */
export class WrittenMarks {
  private marks: readonly { readonly takenAt: number; readonly writtenAt: number }[] = [];

  /** All that was admitted before `takenAt` is in the database since `writtenAt` at the latest. Times must not decrease. */
  add(takenAt: number, writtenAt: number): void {
    this.marks = [...this.marks.filter((mark) => mark.takenAt >= takenAt - KEPT_MS), { takenAt, writtenAt }];
  }

  /** When a request of the last minute was written. Null: not yet, as far as is known. */
  of(admittedAt: number): number | null {
    return this.marks.find((mark) => mark.takenAt > admittedAt)?.writtenAt ?? null;
  }
}
