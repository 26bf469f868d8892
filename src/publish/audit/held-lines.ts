import type { AuditedCell, Finding } from '../publication/finding.js';

/** Enough lines for a person; programs use `--json`. */
const MOST_CELLS = 10;

const number = (value: number): string => value.toLocaleString('en');

/** What the audit found, for an operator: a line a finding, and its first figures below it. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, subject, reason, count, cells }) => {
    const shown = cells.slice(0, MOST_CELLS).map(cellLine);
    const rest = count > shown.length ? [`      ... and ${number(count - shown.length)} more`] : [];
    return [`    ${check}: ${subject}: ${number(count)} figures ${reason}`, ...shown, ...rest];
  });
}

/** `gdp-growth JP 2025: 1.1 -> 110, in growth.csv:12`. */
export function cellLine({ series, period, held, value, file, line }: AuditedCell): string {
  const what =
    series === null ? period : `${series} ${period}: ${held ?? 'nothing'} -> ${value ?? 'nothing'}`;
  return `      ${what}${file === null ? '' : `, in ${file}:${line ?? 0}`}`;
}
