import { doubleCarries, parseDecimal, shortestOf } from '../../domain/figures/decimal.js';
import type { BatchBuffer } from './batch-buffer.js';
import type { Cell, SourcePosition } from './importer.js';
import { quoted } from './text.js';

/** A printed figure as plain decimal text, or a description of what is wrong with it. */
export type Printed = { readonly value: string } | { readonly reason: string };

export function printedFigure(text: string): Printed {
  const value = parseDecimal(text);
  if (value === null) return { reason: `${quoted(text)} is not a number` };
  if (!doubleCarries(value)) return { reason: `${quoted(text)} has more digits than a JSON number can carry` };
  return { value: shortestOf(value) };
}

/** Indices and amounts are positive: zero or less means a misread cell. */
export function positiveFigure(text: string): Printed {
  const printed = printedFigure(text);
  if ('reason' in printed || Number(printed.value) > 0) return printed;
  return { reason: `${quoted(text)} is not above zero` };
}

/** Adds the figure to the batch, or what is wrong with it. */
export function addPrinted(batch: BatchBuffer, printed: Printed, cell: Cell, place: SourcePosition): void {
  if ('reason' in printed) batch.add('bad', { place, cell, reason: printed.reason });
  else {
    const { indicator, region, period } = cell;
    batch.add('figures', { indicator, region, period, value: printed.value, place });
  }
}
