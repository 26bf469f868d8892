import type { Log } from '../log/log.js';
import type { Metrics } from '../metrics/metrics.js';
import { Turns } from './turns.js';
import { Crowd, type CrowdLimits, type CrowdWatcher } from './crowd.js';

/**
 * Requests that this process itself is busy with. A kept answer takes some tenths of a millisecond, so 32 of them are
 * about ten milliseconds; a thousand at once are what a burst of many clients may be.
 */
const REQUESTS: CrowdLimits = { burst: 1_000, standing: 200, patienceMs: 1_000, crowded: 32, calmMs: 1_000 };
/** Answers that are being made anew: most of these wait for one of the ten connections to the database. */
const ANSWERS: CrowdLimits = { burst: 400, standing: 100, patienceMs: 1_000, crowded: 5, calmMs: 1_000 };

export interface LoadWatcher {
  readonly requests?: CrowdWatcher;
  readonly answers?: CrowdWatcher;
}

/**
 * What this instance has taken on: the requests it works at, and the answers it makes anew. Those who wait for the
 * database are counted apart, so that a slow database costs nobody an answer that is kept.
 */
export class Load {
  readonly turns: Turns;
  readonly requests: Crowd;
  readonly answers: Crowd;

  constructor(monotonic: () => number, watcher: LoadWatcher = {}) {
    this.turns = new Turns();
    this.requests = new Crowd(REQUESTS, monotonic, watcher.requests, this.turns);
    this.answers = new Crowd(ANSWERS, monotonic, watcher.answers);
  }

  /** A place among the requests, taken at once. */
  seat(): Seat {
    return new Seat(this);
  }
}

/** A request's place: free while it waits for something else than this process, and given back once. */
export class Seat {
  private held = true;
  private left = false;

  constructor(private readonly load: Load) {
    load.requests.enter();
  }

  /** While an answer is made anew, by the database mostly. */
  async whileMaking<Made>(work: () => Promise<Made>): Promise<Made> {
    this.load.answers.enter();
    try {
      return await this.whileWaiting(work);
    } finally {
      this.load.answers.leave();
    }
  }

  /** While the client is waited for. */
  async whileWaiting<Made>(work: () => Promise<Made>): Promise<Made> {
    this.rise();
    try {
      return await work();
    } finally {
      if (!this.held && !this.left) {
        this.held = true;
        this.load.requests.comeBack();
      }
    }
  }

  /** The answer has left, or nobody waits for it any more. May be said twice. */
  leave(): void {
    this.left = true;
    this.rise();
  }

  private rise(): void {
    if (!this.held) return;
    this.held = false;
    this.load.requests.leave();
  }
}

/** One that says in log and metrics when it begins and ceases to refuse. */
export function watchedLoad(log: Log, metrics: Metrics): Load {
  const watcher = (what: string, reason: 'requests' | 'answers'): CrowdWatcher => ({
    onCrowded: () => log.warn(`${what}: some are refused`),
    onRefused: () => metrics.shed(reason),
    onCalm: (refused) => log.info(`${what} no longer`, { refused }),
  });
  return new Load(() => performance.now(), {
    requests: watcher('more requests at once than can be answered', 'requests'),
    answers: watcher('more answers to be made anew than the database can give', 'answers'),
  });
}

/** Makes an answer anew for a request, which holds up nobody meanwhile who is given a kept one. */
export function making<Made>(request: { readonly seat?: Seat }, work: () => Promise<Made>): Promise<Made> {
  return request.seat === undefined ? work() : request.seat.whileMaking(work);
}
