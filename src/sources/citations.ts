/**
 * Collects the source ids of one answer. Figures and items get their ids through here and no other way, so
 * what stands in `data` is always among `meta.sources`.
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

  /** In an order that depends on nothing but the ids. */
  get cited(): string[] {
    return [...this.ids].sort();
  }
}
