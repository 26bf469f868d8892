import { ImportError, type BadRow } from '../importers/importer.js';

/** Enough to see what is wrong; a file that is wrong all through must not fill the memory. */
export const MOST_LISTED = 1_000;

/** The rows that cannot be imported: all counted, the first thousand kept. */
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

/** Nothing was published, because rows were bad and the operator did not allow to leave them out. */
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
