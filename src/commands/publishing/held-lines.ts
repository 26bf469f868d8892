import type { WaitingSeries } from '../../publish/audit/held-deliveries.js';
import { FIGURE_CHECKS, isEntity, type AuditedCell, type Finding } from '../../publish/publication/finding.js';

/** Enough lines for a person; programs use `--json`. */
const MOST_CELLS = 10;
const MOST_SERIES = 40;
const BARS = '▁▂▃▄▅▆▇█';

const number = (value: number): string => value.toLocaleString('en');

/** What the audit found, for an operator: a line a finding, and its first figures below it. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, subject, reason, count, cells }) => {
    const shown = cells.slice(0, MOST_CELLS).map(cellLine);
    const rest = count > shown.length ? [`      ... and ${number(count - shown.length)} more`] : [];
    return [
      `    ${check}: ${subject}: ${number(count)} ${check in FIGURE_CHECKS ? 'figures' : 'rows'} ${reason}`,
      ...shown,
      ...rest,
    ];
  });
}

/** `gdp-growth JP 2025: 1.1 -> 110, in growth.csv:12`. */
export function cellLine({ series, period, held, value, file, line }: AuditedCell): string {
  const what = series === null ? period : `${series} ${period}: ${held ?? 'nothing'} -> ${value ?? 'nothing'}`;
  return `      ${what}${file === null ? '' : `, in ${file}:${line ?? 0}`}`;
}

/** What waits: a series with a picture of its newest figures as served and as given, `▃▃▄▄  ->  ▁▁▁█`. */
export function waitingLines(waiting: readonly WaitingSeries[]): string[] {
  const width = Math.max(0, ...waiting.map(({ series }) => series.length));
  const lines = waiting.slice(0, MOST_SERIES).map(({ series, since, checks, stored, given }) => {
    const [before, after] = pictures([stored, given]);
    const picture = isEntity(series) ? '' : `  ${before} -> ${after}`;
    return `    ${series.padEnd(width)}${picture}  since ${since}: ${checks.join(', ')}`;
  });
  const rest = waiting.length - lines.length;
  return [...lines, ...(rest > 0 ? [`    ... and ${number(rest)} more`] : [])];
}

/** Bars on one scale; a dot where there is no figure. */
function pictures(rows: readonly (readonly (string | null)[])[]): string[] {
  const values = rows.flat().flatMap((value) => (value === null ? [] : [Number(value)]));
  const lowest = Math.min(...values);
  const span = Math.max(...values) - lowest;
  const bar = (value: string): string =>
    BARS[span === 0 ? 0 : Math.round(((Number(value) - lowest) / span) * (BARS.length - 1))] ?? '';
  return rows.map((row) => row.map((value) => (value === null ? '·' : bar(value))).join(''));
}
