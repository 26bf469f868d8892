import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.js';

/**
 * Answers kept as bytes under (revision, question): when the revision moves, nothing old is found again.
 * Questions asked at the same time are worked out once.
 */
export class AnswerCache<Kept extends { readonly weight: number } = Answer> {
  private readonly kept: LRUCache<string, Kept>;
  private readonly running = new Map<string, Promise<Kept>>();
  private hits = 0;
  private misses = 0;

  constructor(maxBytes: number) {
    this.kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (answer, key) => answer.weight + key.length,
    });
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.kept.calculatedSize };
  }

  find(key: string): Kept | undefined {
    const found = this.kept.get(key);
    if (found === undefined) this.misses += 1;
    else this.hits += 1;
    return found;
  }

  /** What fails is not kept, and fails for all who wait for it. */
  async make(key: string, work: () => Promise<Kept>): Promise<Kept> {
    const running = this.running.get(key);
    if (running !== undefined) return running;
    const made = work()
      .then((answer) => {
        this.kept.set(key, answer);
        return answer;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, made);
    return made;
  }
}
