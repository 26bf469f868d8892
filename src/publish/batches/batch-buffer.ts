import type { Batch, RowOf } from './importer.js';

const FULL = 1_000;

/** Collects the rows of a file into batches, so that no reader holds more than one of a kind. */
export class BatchBuffer {
  private held = new Map<Batch['kind'], unknown[]>();
  private most = 0;

  /** @param source of the rows of a register */
  constructor(private readonly source?: string) {}

  add<Kind extends Batch['kind']>(kind: Kind, row: RowOf<Kind>): void {
    const rows = this.held.get(kind) ?? [];
    if (rows.length === 0) this.held.set(kind, rows);
    this.most = Math.max(this.most, rows.push(row));
  }

  get full(): boolean {
    return this.most >= FULL;
  }

  /** Yields the collected rows and starts over; never an empty batch. */
  *take(): Generator<Batch> {
    const { held, source } = this;
    this.held = new Map();
    this.most = 0;
    // `add` pairs each kind with its rows, which the compiler cannot follow through the map.
    for (const [kind, rows] of held) yield { kind, rows, ...(source && { source }) } as unknown as Batch;
  }
}
