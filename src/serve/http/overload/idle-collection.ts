import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';

const EVERY_MS = 10_000;
/** The event loop's share of work below which a period is quiet: some ten requests a second. */
const QUIET = 0.02;
const QUIET_PERIODS = 3;
/** A full collection takes about 200 ms: it is worth that only after the heap has grown by this factor. */
const GROWN = 1.2;

export interface IdleCollectionSources {
  /** The event loop's share of work since the last call, from 0 to 1. */
  readonly utilization: () => number;
  readonly heapBytes: () => number;
  readonly collect: () => Promise<void>;
}

/** Collects garbage once the process is quiet after work: V8 itself keeps a grown heap while nothing is allocated. */
export class IdleCollection {
  private quietPeriods = 0;
  private heapBytes: number;

  constructor(private readonly sources: IdleCollectionSources = ofThisProcess()) {
    this.heapBytes = sources.heapBytes();
  }

  start(everyMs = EVERY_MS): void {
    setInterval(() => void this.onPeriod(), everyMs).unref();
  }

  async onPeriod(): Promise<void> {
    this.quietPeriods = this.sources.utilization() < QUIET ? this.quietPeriods + 1 : 0;
    if (this.quietPeriods < QUIET_PERIODS || this.sources.heapBytes() < this.heapBytes * GROWN) return;
    this.quietPeriods = 0;
    await this.sources.collect();
    this.heapBytes = this.sources.heapBytes();
  }
}

function ofThisProcess(): IdleCollectionSources {
  let before = performance.eventLoopUtilization();
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect: collectGarbage,
  };
}

/** Without the flag `--expose-gc`, only the inspector collects all garbage. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
