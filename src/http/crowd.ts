export interface CrowdLimits {
  /** More at once are too many at any time; up to here they may be a burst, which is let in. */
  readonly burst: number;
  /** So many at once for `patienceMs` on end are no burst: they come faster than they leave. */
  readonly standing: number;
  readonly patienceMs: number;
  /** So many at once are let in while it is crowded: few enough to be answered as soon as ever. */
  readonly crowded: number;
  /** It is crowded no more when for so long hardly anybody has been refused. */
  readonly calmMs: number;
}

/** Another sign than their number that there are too many. */
export interface Strain {
  /** It has been too much for long. */
  readonly lasting: boolean;
  /** There is no time for one more right now. */
  readonly spent: boolean;
}

/**
 * Of those who came, at most as many refused is hardly anybody: with few places some are refused by chance at a load that
 * fits well, and would be for ever.
 */
const HARDLY_ANY = 0.1;

const NONE: Strain = { lasting: false, spent: false };

/** A stretch of time in which it is crowded. */
interface Crowding {
  readonly since: number;
  came: number;
  refused: number;
  /** In the stretches before this one. */
  readonly refusedBefore: number;
}

export interface CrowdWatcher {
  readonly onCrowded?: () => void;
  readonly onRefused?: () => void;
  /** @param refused how many since it became crowded */
  readonly onCalm?: (refused: number) => void;
}

/**
 * How many are inside at once, and whether one more is let in. A bound that is always small would refuse bursts that
 * are over in a moment; one that is always large lets all wait when more come than can be served. So it is large
 * until those inside stay many, and then small until hardly anybody has to be refused any more.
 */
export class Crowd {
  private count = 0;
  private manySince: number | null = null;
  /** Null while it is not crowded. */
  private crowded: Crowding | null = null;

  constructor(
    private readonly limits: CrowdLimits,
    private readonly monotonic: () => number,
    private readonly watcher: CrowdWatcher = {},
    private readonly strain: Strain = NONE,
  ) {}

  get inside(): number {
    return this.count;
  }

  /** Whether one more would be too many now. */
  isFull(): boolean {
    const now = this.monotonic();
    if (this.crowded === null) {
      const long = this.manySince !== null && now - this.manySince >= this.limits.patienceMs;
      if (!long && this.count < this.limits.burst && !this.strain.lasting) return false;
      this.crowded = { since: now, came: 0, refused: 0, refusedBefore: 0 };
      this.watcher.onCrowded?.();
    } else if (now - this.crowded.since >= this.limits.calmMs) {
      const { came, refused, refusedBefore } = this.crowded;
      if (refused > came * HARDLY_ANY || this.strain.lasting) {
        this.crowded = { since: now, came: 0, refused: 0, refusedBefore: refusedBefore + refused };
      } else if (this.count < this.limits.standing) {
        this.crowded = null;
        this.watcher.onCalm?.(refusedBefore + refused);
        return false;
      }
    }
    return this.count >= this.limits.crowded || this.strain.spent;
  }

  /** To be said of each who is turned away. */
  refuse(): void {
    if (this.crowded !== null) {
      this.crowded.came += 1;
      this.crowded.refused += 1;
    }
    this.watcher.onRefused?.();
  }

  enter(): void {
    if (this.crowded !== null) this.crowded.came += 1;
    this.comeBack();
  }

  /** For one who was let in before: nobody is turned away half-way. */
  comeBack(): void {
    this.count += 1;
    if (this.count === this.limits.standing) this.manySince ??= this.monotonic();
  }

  leave(): void {
    this.count -= 1;
    if (this.count < this.limits.standing) this.manySince = null;
  }
}
