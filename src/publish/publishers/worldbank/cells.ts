// Parses codes, periods and figures as the World Bank prints them in every layout.
import { isPeriod } from '../../../domain/figures/periods.js';
import type { Cell, SourcePosition } from '../../batches/importer.js';
import type { BatchBuffer } from '../../batches/batch-buffer.js';
import { addPrinted, printedFigure } from '../../batches/printed-figure.js';

const CODE = /^[A-Za-z0-9][\w.-]{0,63}$/;
const PERIOD = /^(\d{4})(?:([QM])(\d{1,2}))?$/;
const ABSENT = new Set(['', '..']);

export const isCode = (text: string): boolean => CODE.test(text);

/** `2025`, `2025Q3` and `2025M10` as `2025`, `2025-Q3` and `2025-10`; `null` for any other text. */
export function periodOf(text: string): string | null {
  const match = PERIOD.exec(text);
  if (match === null) return null;
  const [, year = '', letter, number = ''] = match;
  const period =
    letter === undefined ? year : letter === 'Q' ? `${year}-Q${number}` : `${year}-${number.padStart(2, '0')}`;
  return isPeriod(period) ? period : null;
}

/** Adds the printed figure or its fault; an empty cell and `..` add nothing. */
export function addCell(batch: BatchBuffer, text: string, cell: Cell, place: SourcePosition): void {
  if (!ABSENT.has(text)) addPrinted(batch, printedFigure(text), cell, place);
}
