export interface ConcurrencyLimits {
  /** Above this many in flight, shedding starts at once. */
  readonly maxBurst: number;
  /** This many in flight for `sustainedForMs` start shedding: they arrive faster than they end. */
  readonly sustained: number;
  readonly sustainedForMs: number;
  /** The limit while shedding: few enough to keep latency low. */
  readonly whileShedding: number;
  /** How long the rejection rate must stay low before shedding stops. */
  readonly recoverAfterMs: number;
}

/** An overload signal other than the number in flight. */
export interface OverloadSignal {
  /** The overload has lasted. */
  readonly isSustained: boolean;
  /** The process has no time for one more request right now. */
  readonly isBudgetSpent: boolean;
}

/**
 * Shedding stops once at most 10 % of arrivals were rejected. Requiring none would keep it on for ever: a small limit
 * rejects a few at any load.
 */
const RECOVERY_RATIO = 0.1;

const NO_SIGNAL: OverloadSignal = { isSustained: false, isBudgetSpent: false };

/** One measuring period while shedding. */
interface SheddingPeriod {
  readonly since: number;
  arrivals: number;
  rejected: number;
  /** Rejected in earlier periods of the same overload. */
  readonly rejectedBefore: number;
}

export interface SheddingObserver {
  readonly onShedding?: () => void;
  readonly onReject?: () => void;
  /** @param rejected since shedding started */
  readonly onRecovery?: (rejected: number) => void;
}

/**
 * Limits concurrent requests. Normally generous (`maxBurst`); once more than `sustained` have been in flight for
 * `sustainedForMs`, or `signal` reports overload, it sheds: only `whileShedding` are let in, until at most
 * RECOVERY_RATIO of arrivals were rejected over `recoverAfterMs`. Why: docs/adr/0009-shedding.md.
 */
export class ConcurrencyLimiter {
  private count = 0;
  private sustainedSince: number | null = null;
  /** Null while it is not shedding. */
  private shedding: SheddingPeriod | null = null;

  constructor(
    private readonly limits: ConcurrencyLimits,
    private readonly monotonic: () => number,
    private readonly observer: SheddingObserver = {},
    private readonly signal: OverloadSignal = NO_SIGNAL,
  ) {}

  get inFlight(): number {
    return this.count;
  }

  /** True: reject this request. */
  isFull(): boolean {
    const now = this.monotonic();
    if (this.shedding === null) {
      const long = this.sustainedSince !== null && now - this.sustainedSince >= this.limits.sustainedForMs;
      if (!long && this.count < this.limits.maxBurst && !this.signal.isSustained) return false;
      this.shedding = { since: now, arrivals: 0, rejected: 0, rejectedBefore: 0 };
      this.observer.onShedding?.();
    } else if (now - this.shedding.since >= this.limits.recoverAfterMs) {
      const { arrivals, rejected, rejectedBefore } = this.shedding;
      if (rejected > arrivals * RECOVERY_RATIO || this.signal.isSustained) {
        this.shedding = { since: now, arrivals: 0, rejected: 0, rejectedBefore: rejectedBefore + rejected };
      } else if (this.count < this.limits.sustained) {
        this.shedding = null;
        this.observer.onRecovery?.(rejectedBefore + rejected);
        return false;
      }
    }
    return this.count >= this.limits.whileShedding || this.signal.isBudgetSpent;
  }

  /** Call once per rejected request. */
  reject(): void {
    if (this.shedding !== null) {
      this.shedding.arrivals += 1;
      this.shedding.rejected += 1;
    }
    this.observer.onReject?.();
  }

  acquire(): void {
    if (this.shedding !== null) this.shedding.arrivals += 1;
    this.reacquire();
  }

  /** Counts an admitted request again after a wait; an admitted request is never rejected. */
  reacquire(): void {
    this.count += 1;
    if (this.count === this.limits.sustained) this.sustainedSince ??= this.monotonic();
  }

  release(): void {
    this.count -= 1;
    if (this.count < this.limits.sustained) this.sustainedSince = null;
  }
}
