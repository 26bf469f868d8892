import type { ObservationRow } from './macro.rows.js';

/** Rows from a period on, each series after the period whose value held when it began. Rows are oldest first in each series. */
export function inForceFrom(first: string, rows: readonly ObservationRow[]): ObservationRow[] {
  const held = new Map<string, string>();
  for (const row of rows) {
    if (row.period < first && !row.withdrawn && row.knownUntil == null) held.set(row.region, row.period);
  }
  return rows.filter((row) => row.period >= first || row.period === held.get(row.region));
}
