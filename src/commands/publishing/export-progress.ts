import { SingleBar } from 'cli-progress';
import type { CommandContext } from '../context/command-context.js';

/** Shows how many rows of which table are written. */
export interface ExportProgress {
  readonly show: (table: string, rows: number) => void;
  /** Removes the line before other output. */
  readonly clear: () => void;
}

const nothing = (): void => undefined;

/** A line that counts on a terminal; in a log and with `--json` nothing. */
export function exportProgress({ tty, json }: CommandContext): ExportProgress {
  if (!tty || json) return { show: nothing, clear: nothing };
  const line = new SingleBar({
    format: '{table}: {value} rows',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let started = false;
  return {
    show: (table, rows) => {
      if (started) line.update(rows, { table });
      else line.start(Number.MAX_SAFE_INTEGER, rows, { table });
      started = true;
    },
    clear: () => {
      if (started) line.stop();
    },
  };
}
