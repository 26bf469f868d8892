import type { CommandContext } from '../context/command-context.js';
import type { Column } from './table.js';

/** Prints the lines of `tableLines`. */
export async function showTable(
  context: Pick<CommandContext, 'out' | 'screen'>,
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  // Help does without it.
  const { tableLines } = await import('./table.js');
  for (const line of tableLines(columns, rows, context.screen)) context.out(line);
}
