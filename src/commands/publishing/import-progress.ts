import { SingleBar } from 'cli-progress';
import type { CommandContext } from '../context/command-context.js';
import type { ImportPhase } from '../../publish/publication/import-options.js';
import type { Delivery } from '../../publish/batches/importer.js';

/** Shows the progress of an import. */
export interface ImportProgress {
  /** @param publisher where deliveries of several may follow each other */
  show(delivery: Delivery, phase: ImportPhase, done: number, total: number, publisher?: string): void;
  /** Removes the bar before other output. */
  clear(): void;
}

const PHASES: Readonly<Record<ImportPhase, string>> = {
  waiting: 'waiting: another publication is running',
  reading: 'reading',
  comparing: 'comparing with what is stored',
  storing: 'storing',
  deriving: 'deriving changes',
  committing: 'publishing',
};

/** After the first delivery of an import a log gets a line at most so often: a list of releases has hundreds of days. */
const QUIET_MS = 5_000;

/** A bar on a terminal, one line a phase in a log, nothing with `--json`. */
export function importProgress(context: CommandContext): ImportProgress {
  if (context.json) return { show: () => undefined, clear: () => undefined };
  return context.tty ? new BarProgress() : new LineProgress(context);
}

const named = (vintage: string, publisher?: string): string =>
  publisher === undefined ? vintage : `${publisher}, ${vintage}`;

class BarProgress implements ImportProgress {
  private bar: SingleBar | undefined;

  show({ vintage }: Delivery, phase: ImportPhase, done: number, total: number, publisher?: string): void {
    const of = named(vintage, publisher);
    if (this.bar === undefined) {
      this.bar = new SingleBar({
        format: '{of} [{bar}] {percentage}% {phase}',
        hideCursor: true,
        clearOnComplete: true,
        stream: process.stderr,
      });
      this.bar.start(Math.max(total, 1), 0, { of, phase: PHASES[phase] });
    }
    this.bar.setTotal(Math.max(total, 1));
    this.bar.update(Math.min(done, total), { of, phase: PHASES[phase] });
  }

  clear(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}

class LineProgress implements ImportProgress {
  private last = '';
  private lastAt = 0;
  private first: string | undefined;

  constructor(private readonly context: CommandContext) {}

  show(delivery: Delivery, phase: ImportPhase, _done: number, _total: number, publisher?: string): void {
    const line = `${named(delivery.vintage, publisher)}: ${PHASES[phase]}`;
    this.first ??= delivery.vintage;
    const now = this.context.now().getTime();
    const isQuiet = delivery.vintage !== this.first && now - this.lastAt < QUIET_MS;
    if (line === this.last || isQuiet) return;
    this.last = line;
    this.lastAt = now;
    this.context.err(line);
  }

  clear(): void {
    this.last = '';
  }
}
