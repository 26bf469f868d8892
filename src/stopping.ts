export type StopSignal = 'SIGINT' | 'SIGTERM';

/** A terminal and npm each send one for the same Ctrl-C. */
const SAME_MS = 500;
const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

/**
 * The signals that ask this process to stop: the first asks, a later one insists and ends it at once. What hangs,
 * such as a database that does not answer, is left behind when its time is over.
 */
export class Stopping {
  private readonly controller = new AbortController();
  private askedAt = 0;

  /** @param patienceMs how long stopping may take, from the first signal on */
  constructor(private readonly patienceMs: (by: StopSignal) => number) {
    for (const signal of SIGNALS) process.on(signal, () => this.take(signal));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** How it was asked; null while it was not. */
  get by(): StopSignal | null {
    return this.signal.aborted ? (this.signal.reason as StopSignal) : null;
  }

  asked(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  private take(signal: StopSignal): void {
    if (this.signal.aborted) {
      if (performance.now() - this.askedAt > SAME_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    this.askedAt = performance.now();
    setTimeout(giveUp, this.patienceMs(signal)).unref();
    this.controller.abort(signal);
  }
}

function giveUp(): void {
  process.stderr.write('tidemark: stopped without waiting any longer for what was still open\n');
  process.exit(1);
}
