import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { PLAIN_SCREEN, type Screen } from '../context/screen.js';

export interface Column {
  readonly heading: string;
  /** Numbers are aligned right; default: left. */
  readonly align?: 'right';
}

type Colour = 'red' | 'yellow' | 'green';

/** The columns whose cells begin with a state, which has a colour on a terminal. */
const STATE_HEADINGS: readonly string[] = ['state', 'status', 'outcome', 'next figure', 'sync'];

const STATE_COLOURS: ReadonlyMap<string, Colour> = new Map(
  Object.entries({
    active: 'green',
    live: 'green',
    armed: 'green',
    verified: 'green',
    published: 'green',
    accepted: 'green',
    due: 'yellow',
    corrected: 'yellow',
    paused: 'yellow',
    held: 'yellow',
    running: 'yellow',
    overdue: 'red',
    failed: 'red',
    withdrawn: 'red',
    withheld: 'red',
    suspended: 'red',
    dropped: 'red',
    revoked: 'red',
    expired: 'red',
    ended: 'red',
  }),
);

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
  const lines = rows.map((row) => lineOf(({ index }) => row[index] ?? ''));
  if (!screen.isColoured) return [heading, ...lines];
  return [
    styled('bold', heading),
    ...lines.map((line, nth) =>
      // From the right, so that the places of the others stay.
      shown.reduceRight((painted, { heading: named, index }, column) => {
        const cells = rows[nth] ?? [];
        const [word = ''] = /^[a-z]*/.exec(cells[index] ?? '') ?? [];
        const colour = STATE_HEADINGS.includes(named) ? STATE_COLOURS.get(word) : undefined;
        const start = shown
          .slice(0, column)
          .map((one) => padded(cells[one.index] ?? '', one) + GAP)
          .join('').length;
        // A terminal may have cut it off.
        if (colour === undefined || !line.startsWith(word, start)) return painted;
        return painted.slice(0, start) + styled(colour, word) + painted.slice(start + word.length);
      }, line),
    ),
  ];
}

const styled = (style: Colour | 'bold', text: string): string => styleText(style, text, { validateStream: false });

function padded(text: string, { align, width }: { readonly align?: 'right'; readonly width: number }): string {
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
