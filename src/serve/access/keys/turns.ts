import { ApiError } from '../../../domain/errors/api-error.js';

const MOST_WAIT_MS = 1_000;

/** Whose turn comes first: an owner whom we know, a sign-in, or any other act. */
export type TurnRank = 'known' | 'sign_in' | 'other';

const RANKS: readonly TurnRank[] = ['known', 'sign_in', 'other'];

/** Connections to the account page's database: strangers leave two to sign-ins, and those one to owners. */
export const LOOKUPS: Readonly<Record<TurnRank, number>> = { known: 3, sign_in: 2, other: 1 };

/** Bounds what people without a key occupy, and lets people who are known go first. */
export class Turns {
  private running = 0;
  private readonly waiting: Readonly<Record<TurnRank, Set<() => void>>> = {
    known: new Set(),
    sign_in: new Set(),
    other: new Set(),
  };

  /** @param most a rank has its turn while fewer than this many are running, whatever their ranks are */
  constructor(private readonly most: Readonly<Record<TurnRank, number>>) {}

  /** @throws ApiError `unavailable` if it is not the caller's turn within a second */
  async run<T>(rank: TurnRank, work: () => Promise<T>): Promise<T> {
    if (this.running < this.most[rank]) this.running += 1;
    else await this.turn(this.waiting[rank]);
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.beginNext();
    }
  }

  private beginNext(): void {
    const next = RANKS.find((rank) => this.waiting[rank].size > 0 && this.running < this.most[rank]);
    if (next === undefined) return;
    this.running += 1;
    const [begin] = this.waiting[next];
    begin?.();
  }

  private turn(queue: Set<() => void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        queue.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(begin);
        reject(new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 }));
      }, MOST_WAIT_MS);
      queue.add(begin);
    });
  }
}
