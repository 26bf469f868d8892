import { ApiError } from '../../../domain/errors/api-error.js';

/** Whose turn comes first: an owner whom we know, a sign-in, or any other act. */
export type TurnRank = 'known' | 'sign_in' | 'other';

/** Connections to the account page's database: strangers leave two to sign-ins, and those one to owners. */
export const LOOKUPS: Readonly<Record<TurnRank, number>> = { known: 3, sign_in: 2, other: 1 };

export interface TurnBounds {
  readonly waitMs: number;
  /** Work beyond this is refused at once. */
  readonly mostWaiting: number;
}

const BOUNDS: TurnBounds = { waitMs: 1_000, mostWaiting: Infinity };

/** Bounds how much work runs at once; the excess waits, the first rank first, each in order of arrival. */
export class Turns<Rank extends string = TurnRank> {
  private running = 0;
  private readonly waiting: ReadonlyMap<Rank, Set<() => void>>;

  /**
   * @param most by rank, the first one first: it has its turn while fewer than this many are running, whatever their
   * ranks are
   */
  constructor(
    private readonly most: Readonly<Record<Rank, number>>,
    private readonly bounds = BOUNDS,
  ) {
    this.waiting = new Map((Object.keys(most) as Rank[]).map((rank) => [rank, new Set()]));
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** @throws ApiError `unavailable` if it is not the caller's turn in time */
  async run<T>(rank: Rank, work: () => Promise<T>): Promise<T> {
    if (this.running < this.most[rank]) this.running += 1;
    else await this.turn(this.waiting.get(rank) ?? new Set());
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.beginNext();
    }
  }

  private beginNext(): void {
    for (const [rank, [begin]] of this.waiting) {
      if (begin === undefined || this.running >= this.most[rank]) continue;
      this.running += 1;
      begin();
      return;
    }
  }

  private turn(queue: Set<() => void>): Promise<void> {
    const refusal = () => new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
    if (queue.size >= this.bounds.mostWaiting) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        queue.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(begin);
        reject(refusal());
      }, this.bounds.waitMs);
      queue.add(begin);
    });
  }
}
