import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { PLAIN_SCREEN, type Screen } from './screen.js';

export interface Column {
  readonly heading: string;
  /** Numbers are aligned right; default: left. */
  readonly align?: 'right';
}

const GAP = '  ';
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The lines of a table with headings. Columns are as wide as their widest cell, where a Chinese or Japanese character
 * takes two; a terminal cuts off what exceeds its width. Columns without any text are left out.
 */
export function tableLines(
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  screen: Screen = PLAIN_SCREEN,
): string[] {
  const shown = columns
    .map((column, index) => ({ ...(typeof column === 'string' ? { heading: column } : column), index }))
    .filter(({ index }) => rows.some((row) => (row[index] ?? '') !== ''))
    .map((column) => {
      const widths = rows.map((row) => stringWidth(row[column.index] ?? ''));
      return { ...column, width: Math.max(stringWidth(column.heading), ...widths) };
    });
  const lineOf = (cell: (column: (typeof shown)[number]) => string): string =>
    cut(shown.map((column) => padded(cell(column), column)).join(GAP), screen.width).trimEnd();
  const heading = lineOf((column) => column.heading.toUpperCase());
  return [
    screen.isColoured ? styleText('bold', heading, { validateStream: false }) : heading,
    ...rows.map((row) => lineOf(({ index }) => row[index] ?? '')),
  ];
}

function padded(
  text: string,
  { align, width }: { readonly align?: 'right'; readonly width: number },
): string {
  const space = ' '.repeat(width - stringWidth(text));
  return align === 'right' ? space + text : text + space;
}

function cut(line: string, width: number | null): string {
  if (width === null || stringWidth(line.trimEnd()) <= width) return line;
  let [kept, used] = ['', 0];
  for (const { segment } of GRAPHEMES.segment(line)) {
    used += stringWidth(segment);
    if (used >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}
