export type StopSignal = 'SIGINT' | 'SIGTERM';
/** Why a process stops: a signal, or an uncaught error after which its state is unknown. */
export type ShutdownReason = StopSignal | 'uncaughtException';

/** A terminal and npm each send one for the same Ctrl-C. */
const SAME_MS = 500;
/** The reaction to an uncaught error. */
export interface UncaughtErrors {
  /** The process continues. */
  readonly onRejection: (reason: unknown) => void;
  /** The process shuts down as on a signal. */
  readonly onException: (error: unknown) => void;
}

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

/**
 * Shutdown signals of this process. The first starts a graceful shutdown, a later one ends the process at once.
 * `timeoutMs` bounds the shutdown, because a dependency such as the database may hang.
 */
export class ShutdownSignal {
  private readonly controller = new AbortController();
  private askedAt = 0;

  /** @param timeoutMs from the first signal to the forced end */
  constructor(private readonly timeoutMs: (by: ShutdownReason) => number) {
    for (const signal of SIGNALS) process.on(signal, () => this.onSignal(signal));
  }

  /** Prevents an uncaught error from ending the process in the middle of requests. */
  watchUncaught({ onRejection, onException }: UncaughtErrors): void {
    process.on('unhandledRejection', onRejection);
    process.on('uncaughtException', (error) => {
      onException(error);
      // A second error during the shutdown changes nothing: the time-out is running.
      if (!this.signal.aborted) this.stop('uncaughtException');
    });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The first signal; null before it. */
  get reason(): ShutdownReason | null {
    return this.signal.aborted ? (this.signal.reason as ShutdownReason) : null;
  }

  requested(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  private onSignal(signal: StopSignal): void {
    if (this.signal.aborted) {
      if (performance.now() - this.askedAt > SAME_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    this.stop(signal);
  }

  private stop(reason: ShutdownReason): void {
    this.askedAt = performance.now();
    setTimeout(exitOnTimeout, this.timeoutMs(reason)).unref();
    this.controller.abort(reason);
  }
}

function exitOnTimeout(): void {
  process.stderr.write('tidemark: stopped without waiting any longer for what was still open\n');
  process.exit(1);
}
