import { LRUCache } from 'lru-cache';
import type { SerializedResponse } from './serialized-response.js';

/**
 * Caches serialized responses by data version and request, so a new data version invalidates all of them. Concurrent
 * requests for one key share a single computation.
 */
export class ResponseCache<Kept extends { readonly weight: number } = SerializedResponse> {
  private readonly cached: LRUCache<string, Kept>;
  private readonly running = new Map<string, Promise<Kept>>();
  private hits = 0;
  private misses = 0;

  constructor(maxBytes: number) {
    this.cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (answer, key) => answer.weight + key.length,
    });
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.cached.calculatedSize };
  }

  find(key: string): Kept | undefined {
    const found = this.cached.get(key);
    if (found === undefined) this.misses += 1;
    else this.hits += 1;
    return found;
  }

  /** As `find`, for a caller after whom another one will look: a miss does not count yet. */
  hit(key: string): Kept | undefined {
    const found = this.cached.get(key);
    if (found !== undefined) this.hits += 1;
    return found;
  }

  set(key: string, answer: Kept): void {
    this.cached.set(key, answer);
  }

  /** A failure is not cached; all waiters see it. */
  async compute(key: string, work: () => Promise<Kept>): Promise<Kept> {
    const running = this.running.get(key);
    if (running !== undefined) return running;
    // Another request filled it while this one waited for a slot.
    const made = this.cached.get(key);
    if (made !== undefined) return made;
    const making = work()
      .then((answer) => {
        this.cached.set(key, answer);
        return answer;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, making);
    return making;
  }
}
