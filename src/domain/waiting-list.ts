interface Entry<T> {
  readonly value: T;
  place: number;
}

/**
 * Values that come and go with every request, in no order. A `Set` would cost a server its young generation: each time
 * V8 renews the table of a `Set` or a `Map`, the table before keeps what it held and points to the next one, so once a
 * table has become old, all later ones, and the requests in them, survive until the next full collection.
 */
export class WaitingList<T> {
  private readonly entries: Entry<T>[] = [];

  get size(): number {
    return this.entries.length;
  }

  /** @returns a function that removes the value; it returns false if that was done before */
  add(value: T): () => boolean {
    const entry = { value, place: this.entries.length };
    this.entries.push(entry);
    return () => this.remove(entry);
  }

  /** Those of now: a loop may remove any of them. */
  values(): readonly T[] {
    return this.entries.map(({ value }) => value);
  }

  private remove(entry: Entry<T>): boolean {
    if (entry.place < 0) return false;
    const last = this.entries.pop();
    if (last !== undefined && last !== entry) {
      this.entries[entry.place] = last;
      last.place = entry.place;
    }
    entry.place = -1;
    return true;
  }
}
