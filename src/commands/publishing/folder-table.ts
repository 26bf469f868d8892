import { dirname, join } from 'node:path';
import type { FolderRow } from '../../publish/import/import-folder.js';
import { waitText } from '../../publish/publication/finding.js';
import type { ImportReport } from '../../publish/publication/import-report.js';
import type { Screen } from '../context/screen.js';
import { tableLines } from '../terminal/table.js';
import { besideFigures } from './report-lines.js';
import { grouped } from '../../domain/grouped.js';

const COLUMNS = [
  'publisher',
  'outcome',
  'first day',
  'last day',
  { heading: 'deliveries', align: 'right' as const },
  { heading: 'figures', align: 'right' as const },
  'what',
];

/**
 * What became of the files below a folder: one line for all deliveries of a publisher with the same outcome, and one for
 * each that an operator has to look at. First what was published, last what is nobody's.
 */
export function folderTable(rows: readonly FolderRow[], folder: string, screen?: Screen): string[] {
  const groups = grouped(rows, (row) => [rankOf(row), row.publisher, row.outcome, whatOf(row)].join('\n'));
  const lines = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => cells(group));
  const short = (text: string): string => text.replaceAll(join(folder, '/'), '');
  return tableLines(
    COLUMNS,
    lines.map((line) => line.map(short)),
    screen,
  );
}

function cells(group: readonly [FolderRow, ...FolderRow[]]): string[] {
  const [first] = group;
  const days = group.flatMap(({ vintage }) => vintage ?? []).sort();
  const changed = group.reduce((sum, { report }) => sum + (report?.counts.changed ?? 0), 0);
  const files = new Set(group.map(({ path }) => path)).size;
  const isWhole = first.publisher === null && group.length > 1;
  const named = isWhole ? `${first.path} and ${files - 1} more` : first.path;
  const what = [...besideOf(group), whatOf(first)].filter((text) => text !== '').join(', ');
  const isNamed = files === 1 || isWhole;
  return [
    first.publisher ?? '',
    first.outcome,
    days[0] ?? '',
    days.at(-1) ?? '',
    String(group.length),
    first.report === null ? '' : String(changed),
    [...(isNamed && !what.startsWith(named) ? [named] : []), what].filter((text) => text !== '').join(': '),
  ];
}

/** Published, published in part, held, left out of a publisher, nobody's. */
function rankOf({ publisher, outcome, report, path }: FolderRow): string {
  if (publisher === null) return `4 ${dirname(path)}`;
  if (outcome === 'left out') return '3';
  if (outcome === 'held') return '2';
  return report !== null && report.quarantined.length > 0 ? '1' : '0';
}

/** What an operator has to know or do about a delivery; empty: nothing. */
function whatOf({ reason, report }: FolderRow): string {
  if (report === null) return reason ?? '';
  const { quarantined, heldDelivery } = report;
  return [
    ...(quarantined.length > 0 ? [waitText(quarantined)] : []),
    ...(heldDelivery === null ? [] : [`tidemark deliveries show ${heldDelivery}`]),
  ].join(', ');
}

/** The content of deliveries without figures. */
function besideOf(group: readonly FolderRow[]): string[] {
  const counts = group.flatMap(({ report }) => (report === null ? [] : [report.counts]));
  const [first, ...others] = counts;
  if (first === undefined || counts.some(({ rows }) => rows > 0)) return [];
  const keys = Object.keys(first) as (keyof ImportReport['counts'])[];
  return besideFigures(
    others.reduce(
      (sum, one) => Object.fromEntries(keys.map((key) => [key, (sum[key] ?? 0) + (one[key] ?? 0)])) as typeof sum,
      first,
    ),
  );
}
