// Turns measured rounds into printed tables.
import { cpus, loadavg, totalmem } from 'node:os';

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median with the smallest and the largest value, to show the noise. */
export function spread(numbers, digits = 0) {
  const show = (number) => rounded(number, digits);
  if (numbers.length === 1) return show(numbers[0]);
  return `${show(median(numbers))} (${show(Math.min(...numbers))}–${show(Math.max(...numbers))})`;
}

export function rounded(number, digits = 0) {
  return number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A Markdown table with aligned columns, readable in a terminal too. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

/** The conditions without which a figure means nothing. */
export function conditions(more = []) {
  const gigabytes = rounded(totalmem() / 1024 ** 3);
  const load = loadavg()
    .map((number) => rounded(number, 1))
    .join(' ');
  const day = new Date().toISOString().slice(0, 10);
  return [
    `${day}, node ${process.versions.node}`,
    ...more,
    `${cpus().length} cores, ${gigabytes} GB, load ${load}`,
  ].join('; ');
}
