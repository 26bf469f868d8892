import { ImportError, type BadRow } from '../batches/importer.js';

/** Enough to see the cause; bounds memory for a file with only bad rows. */
export const MOST_LISTED = 1_000;

/** Rows that cannot be imported: counts all, keeps the first thousand. */
export class BadRows {
  readonly listed: BadRow[] = [];
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  addUnlisted(count: number): void {
    this.counted += count;
  }

  add(row: BadRow): void {
    this.counted += 1;
    if (this.listed.length < MOST_LISTED) this.listed.push(row);
  }
}

/** The import stopped because of bad rows, without `--skip-bad-rows`. */
export class BadRowsError extends ImportError {
  constructor(
    delivery: string,
    readonly count: number,
    readonly listed: readonly BadRow[],
  ) {
    super(
      `${delivery}: ${count} bad row${count === 1 ? '' : 's'}, nothing was published. ` +
        'Mend them, or leave them out with --skip-bad-rows.',
    );
    this.name = 'BadRowsError';
  }
}

/** `file:line, column: reason`. */
export function badRowLine({ place, reason }: BadRow): string {
  return `${place.file}:${place.line}, ${place.column}: ${reason}`;
}
