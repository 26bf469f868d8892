/**
 * Collects the source ids of one response. Figures and items get their ids only from here, so `meta.sources` lists
 * every id in `data`.
 */
export class Citations {
  private readonly ids = new Set<string>();

  source(id: string): string {
    this.ids.add(id);
    return id;
  }

  sources(ids: readonly string[]): string[] {
    for (const id of ids) this.ids.add(id);
    return [...ids];
  }

  /** Sorted, so that equal data gives equal bytes. */
  get cited(): string[] {
    return [...this.ids].sort();
  }
}
