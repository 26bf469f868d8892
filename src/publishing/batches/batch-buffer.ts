import type { BadRow, Batch, Extent, FigureRow } from './importer.js';

const FULL = 1_000;

/** Collects the rows of a file into batches, so that no reader holds more than one. */
export class BatchBuffer {
  private figures: FigureRow[] = [];
  private bad: BadRow[] = [];
  private extents: Extent[] = [];

  addFigure(row: FigureRow): void {
    this.figures.push(row);
  }

  addBad(row: BadRow): void {
    this.bad.push(row);
  }

  addExtent(extent: Extent): void {
    this.extents.push(extent);
  }

  get full(): boolean {
    return this.figures.length >= FULL || this.bad.length >= FULL || this.extents.length >= FULL;
  }

  /** Yields the collected rows and starts over; never an empty batch. */
  *take(): Generator<Batch> {
    const { figures, bad, extents } = this;
    this.figures = [];
    this.bad = [];
    this.extents = [];
    if (figures.length > 0) yield { kind: 'figures', rows: figures };
    if (bad.length > 0) yield { kind: 'bad', rows: bad };
    if (extents.length > 0) yield { kind: 'extents', extents };
  }
}
