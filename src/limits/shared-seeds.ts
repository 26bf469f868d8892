/** Lets the first requests of a subject's day, coming at once, share one question to the database. */
export class SharedSeeds<Seed> {
  private readonly asked = new Map<string, Promise<Seed>>();

  /** Rejects as `seed` does; the next request then asks anew. */
  ask(subject: string, day: string, seed: (subject: string, day: string) => Promise<Seed>): Promise<Seed> {
    const key = `${day} ${subject}`;
    const pending = this.asked.get(key);
    if (pending !== undefined) return pending;
    const answer = seed(subject, day).finally(() => this.asked.delete(key));
    this.asked.set(key, answer);
    return answer;
  }
}
