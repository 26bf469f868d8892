import type { DaySeed } from './window-store.js';

/** Lets the first requests of a subject's day, coming at once, share one question to the database. */
export class SharedSeeds {
  private readonly asked = new Map<string, Promise<number>>();

  /** Rejects as `seed` does; the next request then asks anew. */
  ask(subject: string, day: string, seed: DaySeed): Promise<number> {
    const key = `${day} ${subject}`;
    const pending = this.asked.get(key);
    if (pending !== undefined) return pending;
    const answer = seed(subject, day).finally(() => this.asked.delete(key));
    this.asked.set(key, answer);
    return answer;
  }
}
