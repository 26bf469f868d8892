import type { Strain } from './crowd.js';

/** A turn that has so much to do that those who come during it wait long for the next. */
const LONG_MS = 75;
/** One long turn after the other for so long, and so many: no burst, and no single piece of work. */
const LASTING_MS = 500;
const LASTING_TURNS = 4;
/** What is begun within a turn's first milliseconds is done soon, and so is the turn. */
const SPENT_MS = 4;
/** Between two turns with requests in them: nobody was waiting then. */
const IDLE_MS = 20;

export interface TurnClocks {
  readonly monotonic: () => number;
  /** Milliseconds of CPU that this process has used. */
  readonly cpu: () => number;
}

const CLOCKS: TurnClocks = {
  monotonic: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * How much one turn of the event loop has to do. Requests that come faster than they can be answered wait where nobody
 * can count them, in their connections; but each turn then finds more of them, and lasts the longer. A turn that is long
 * because others have the processor is not meant.
 */
export class Turns implements Strain {
  private startedAt: number | null = null;
  private endedAt = 0;
  private longSince: number | null = null;
  private longTurns = 0;
  private cpuAt: number | null = null;

  constructor(private readonly clocks: TurnClocks = CLOCKS) {}

  /** To be said at each request. */
  arrive(): void {
    if (this.startedAt !== null) return;
    this.startedAt = this.clocks.monotonic();
    if (this.startedAt - this.endedAt > IDLE_MS) this.relax();
    // Immediates have their place after all that was read, and before waiting for more.
    setImmediate(() => this.end());
  }

  get lasting(): boolean {
    const { longSince, longTurns } = this;
    if (longSince === null || longTurns < LASTING_TURNS) return false;
    return this.clocks.monotonic() - longSince >= LASTING_MS;
  }

  get spent(): boolean {
    return this.startedAt !== null && this.clocks.monotonic() - this.startedAt >= SPENT_MS;
  }

  private end(): void {
    const started = this.startedAt ?? 0;
    this.startedAt = null;
    this.endedAt = this.clocks.monotonic();
    if (this.endedAt - started < LONG_MS) {
      this.relax();
      return;
    }
    const cpu = this.clocks.cpu();
    if (this.cpuAt !== null && cpu - this.cpuAt < LONG_MS) this.relax();
    this.cpuAt = cpu;
    this.longSince ??= started;
    this.longTurns += 1;
  }

  private relax(): void {
    this.longSince = null;
    this.longTurns = 0;
    this.cpuAt = null;
  }
}
