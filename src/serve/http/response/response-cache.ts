import { LRUCache } from 'lru-cache';
import type { SerializedResponse } from './serialized-response.js';

/** The share of a cache for responses that were requested once. Most of those are never requested again. */
const ONCE_SHARE = 1 / 8;

interface Computation<Kept> {
  /** Emptied at the end: an outgrown table of a `Map` holds its values (see `WaitingList`), and these are whole responses. */
  making?: Promise<Kept>;
}

/**
 * Caches serialized responses by data version and request, so a new data version invalidates all of them. Concurrent
 * requests for one key share a single computation. A response moves at its first hit to where only hits push it out.
 */
export class ResponseCache<Kept extends { readonly weight: number } = SerializedResponse> {
  private readonly once: LRUCache<string, Kept>;
  private readonly repeated: LRUCache<string, Kept>;
  private readonly running = new Map<string, Computation<Kept>>();
  private hits = 0;
  private misses = 0;

  constructor(maxBytes: number) {
    const sizeCalculation = (answer: Kept, key: string) => answer.weight + key.length;
    this.once = new LRUCache({ maxSize: Math.ceil(maxBytes * ONCE_SHARE), sizeCalculation });
    this.repeated = new LRUCache({ maxSize: Math.ceil(maxBytes * (1 - ONCE_SHARE)), sizeCalculation });
  }

  get stats(): { hits: number; misses: number; bytes: number } {
    return { hits: this.hits, misses: this.misses, bytes: this.once.calculatedSize + this.repeated.calculatedSize };
  }

  find(key: string): Kept | undefined {
    const found = this.get(key);
    if (found === undefined) this.misses += 1;
    else this.hits += 1;
    return found;
  }

  set(key: string, answer: Kept): void {
    this.once.set(key, answer);
  }

  /** A failure is not cached; all waiters see it. */
  async compute(key: string, work: () => Promise<Kept>): Promise<Kept> {
    const running = this.running.get(key)?.making;
    if (running !== undefined) return running;
    // Another request filled it while this one waited for a slot.
    const made = this.get(key);
    if (made !== undefined) return made;
    const computation: Computation<Kept> = {};
    this.running.set(key, computation);
    computation.making = work()
      .then((answer) => {
        this.set(key, answer);
        return answer;
      })
      .finally(() => {
        this.running.delete(key);
        delete computation.making;
      });
    return computation.making;
  }

  private get(key: string): Kept | undefined {
    const repeated = this.repeated.get(key);
    if (repeated !== undefined) return repeated;
    const found = this.once.get(key);
    if (found === undefined) return undefined;
    this.repeated.set(key, found);
    this.once.delete(key);
    return found;
  }
}
