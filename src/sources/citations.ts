/**
 * Collects the source ids of one response, and the series whose own pages at the publisher a citation links. Figures
 * and items get their ids only from here, so `meta.sources` lists every id in `data`.
 */
export class Citations {
  private readonly ids = new Set<string>();
  private readonly keys = new Set<string>();

  source(id: string): string {
    this.ids.add(id);
    return id;
  }

  sources(ids: readonly string[]): string[] {
    for (const id of ids) this.ids.add(id);
    return [...ids];
  }

  /** @param key slug of an indicator or key of an instrument */
  series(key: string): string {
    this.keys.add(key);
    return key;
  }

  /** Sorted, so that equal data gives equal bytes. */
  get cited(): string[] {
    return [...this.ids].sort();
  }

  get citedSeries(): ReadonlySet<string> {
    return this.keys;
  }
}
