/** Gathers the items of one key that come in one turn of the event loop, and runs them together at its end. */
export class Batches<Item> {
  private gathered = new Map<string, Item[]>();

  /** `run` must not reject. */
  constructor(private readonly run: (batch: readonly Item[]) => Promise<void>) {}

  add(key: string, item: Item): void {
    if (this.gathered.size === 0) setImmediate(() => this.runAll());
    const batch = this.gathered.get(key);
    if (batch === undefined) this.gathered.set(key, [item]);
    else batch.push(item);
  }

  private runAll(): void {
    const batches = this.gathered;
    this.gathered = new Map();
    for (const batch of batches.values()) void this.run(batch);
  }
}
