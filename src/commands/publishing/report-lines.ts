import { isHeldWhole, type ImportReport } from '../../publish/publication/import-report.js';
import { badRowLine } from '../../publish/publication/bad-rows.js';
import { cellLine, findingLines } from './held-lines.js';
import type { BadRow } from '../../publish/batches/importer.js';
import { ownMember } from '../../domain/names/own-member.js';
import { isEntity, waitText } from '../../publish/publication/finding.js';

/** Enough lines for a person; programs use `--json`. */
const MOST_LINES = 50;

/** An import of more deliveries ends with a sum instead. */
const MOST_REPORTS = 10;
/** What an import derives, by the key of its count. */
const DERIVED = [
  ['releases', 'releases'],
  ['revisions', 'revisions'],
  ['moves', 'market moves'],
  ['decisions', 'decisions'],
  ['structures', 'changes of group structure'],
  ['corrected', 'changes corrected'],
  ['withdrawn', 'changes withdrawn'],
] as const;

const number = (value: number): string => value.toLocaleString('en');

/**
 * Formats a report for an operator.
 * @param nth its place among the reports of an import: later ones have lines only if an operator has to look at them
 */
export function reportLines(report: ImportReport, nth = 0): string[] {
  const { findings, differences, unnamed, counts, outcome } = report;
  const isQuiet = findings.length + differences.length + unnamed.length + counts.leftOut === 0;
  if (nth >= MOST_REPORTS && isQuiet && outcome !== 'held') return [];
  return [
    ...headLines(report),
    ...auditLines(report),
    ...differenceLines(report),
    ...leftOutLines(report),
    ...unnamedLines(report),
  ];
}

/** Counts over all deliveries of an import, if they are more than are listed each. */
export function sumLines(reports: readonly ImportReport[]): string[] {
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || reports.length <= MOST_REPORTS) return [];
  const sum = (key: string): number => reports.reduce((total, { counts }) => total + (ownMember(counts, key) ?? 0), 0);
  const published = reports.filter(({ outcome }) => outcome === 'published').length;
  const stored = reports.filter(({ outcome }) => outcome === 'unchanged').length;
  const counts = [
    [published, 'data versions'],
    [stored, 'stored already'],
    [sum('changed'), 'figures new or different'],
    ...DERIVED.map(([key, what]) => [sum(key), what] as const),
  ] as const;
  const parts = counts.flatMap(([count, what]) => (count > 0 ? [`${number(count)} ${what}`] : []));
  return [`${number(reports.length)} vintages, ${first.vintage} to ${last.vintage}: ${parts.join(', ')}`];
}

function headLines(report: ImportReport): string[] {
  const { vintage, outcome, kind, dataVersion, quarantined, counts, seconds } = report;
  const read = readOf(counts);
  if (isHeldWhole(report)) return [`${vintage}: held, nothing was published: ${read}`];
  if (outcome === 'held') return [`${vintage}: held, no figure was published`];
  if (outcome === 'unchanged' && quarantined.length > 0) return [`${vintage}: nothing changed`];
  if (outcome === 'unchanged') return [`${vintage}: ${read} are already stored, nothing changed`];
  const head =
    outcome === 'rehearsed'
      ? `${vintage}: would be published (${kind})`
      : `${vintage}: data version ${dataVersion} (${kind})`;
  const made = DERIVED.flatMap(([key, what]) => (counts[key] > 0 ? [`${number(counts[key])} ${what}`] : []));
  const figures =
    counts.rows > 0
      ? `${number(counts.changed)} figures new or different, ${number(counts.closed)} no longer given; `
      : '';
  return [
    `${head}: ${read} in ${seconds.toFixed(1)} s`,
    `  ${figures}${made.length > 0 ? made.join(', ') : 'no changes derived'}`,
  ];
}

function auditLines({ outcome, findings, quarantined, heldDelivery, counts }: ImportReport): string[] {
  if (findings.length === 0) return [];
  const lines = [auditHead(outcome, quarantined, counts.series), ...findingLines(findings)];
  return heldDelivery === null
    ? lines
    : [
        ...lines,
        `  Look at it with: tidemark deliveries show ${heldDelivery}; then publish it with deliveries accept, or forget`,
        '  it with deliveries drop.',
      ];
}

function auditHead(outcome: ImportReport['outcome'], waiting: ImportReport['quarantined'], others: number): string {
  const [first] = waiting;
  if (first === undefined)
    return outcome === 'held' ? '  It is implausible:' : '  Accepted although it is implausible:';
  const text = waitText(waiting);
  if (isEntity(first.series)) return `  ${text}, because what is stated of them is implausible:`;
  return `  ${text}, of ${number(waiting.length + others)}, because their figures are implausible:`;
}

function differenceLines({ differences, counts }: ImportReport): string[] {
  if (differences.length === 0) return [];
  const shown = differences.slice(0, MOST_LINES).map(cellLine);
  const rest = counts.changed + counts.closed - shown.length;
  return ['  Figures that would change:', ...shown, ...(rest > 0 ? [`      ... and ${number(rest)} more`] : [])];
}

/** Content beside figures, by the key of its count. */
const HELD = [
  ['events', 'calendar events'],
  ['entities', 'legal entities'],
  ['relations', 'group relations'],
  ['registrants', 'registrants'],
] as const;

export function besideFigures(counts: ImportReport['counts']): string[] {
  return HELD.flatMap(([key, what]) => {
    const count = ownMember(counts, key) ?? 0;
    return count > 0 ? [`${number(count)} ${what}`] : [];
  });
}

function readOf(counts: ImportReport['counts']): string {
  const held = besideFigures(counts);
  const figures = `${number(counts.rows)} figures of ${number(counts.series)} series`;
  return (counts.rows > 0 || held.length === 0 ? [figures, ...held] : held).join(', ');
}

function leftOutLines({ counts, leftOut }: ImportReport): string[] {
  if (counts.leftOut === 0) return [];
  return [`  ${number(counts.leftOut)} rows were left out:`, ...badRowLines(leftOut, counts.leftOut)];
}

/** Formats the first bad rows and the number of the others. */
export function badRowLines(rows: readonly BadRow[], count: number): string[] {
  const lines = rows.slice(0, MOST_LINES).map((row) => `    ${badRowLine(row)}`);
  return count > lines.length ? [...lines, `    ... and ${number(count - lines.length)} more`] : lines;
}

function unnamedLines({ unnamed }: ImportReport): string[] {
  if (unnamed.length === 0) return [];
  const lines = unnamed
    .slice(0, MOST_LINES)
    .map(({ kind, code, rows, file }) => `    ${kind} ${code} (${number(rows)} rows): add it to ${file}`);
  return ['  Not in the catalogue, so not imported:', ...lines];
}
