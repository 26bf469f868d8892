/** A series in the response: whether a newer figure than its newest one is overdue. */
export interface NotedAge {
  /** Key of an instrument, or `gdp@JP`, and the day as of which it is shown; a brief has none. */
  readonly series?: string;
  readonly asOf?: string;
  /** Its newest period with a value, which the response may leave out; null without any. */
  readonly newest: string | null;
  readonly stale: boolean;
  /** RFC 3339 in UTC; null if no newer figure will come. */
  readonly expectedBy: string | null;
}

/**
 * Collects the source ids of one response, and the series whose own pages at the publisher a citation links. Figures
 * and items get their ids only from here, so `meta.sources` lists every id in `data`. Also notes how old the figures
 * are.
 */
export class Citations {
  private readonly ids = new Set<string>();
  private readonly keys = new Set<string>();
  private readonly shownPeriods = new Set<string>();
  private readonly notedAges: NotedAge[] = [];
  private readonly rankedOn = new Map<string, string>();
  private readonly shownEntities = new Set<string>();

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

  /** @param period of a figure with a value */
  period(period: string): void {
    this.shownPeriods.add(period);
  }

  /** A company or legal entity whose name or parents are shown. */
  entity({ lei, cik }: { readonly lei: string | null; readonly cik?: number | null }): void {
    if (lei !== null) this.shownEntities.add(lei);
    if (cik != null) this.shownEntities.add(`CIK ${cik}`);
  }

  age(age: NotedAge): void {
    this.notedAges.push(age);
  }

  /** The response ranks the series of an indicator as known on a day: also one that it does not show could be first. */
  ranking(indicator: string, asOf: string): void {
    this.rankedOn.set(indicator, asOf);
  }

  /** Sorted, so that equal data gives equal bytes. */
  get cited(): string[] {
    return [...this.ids].sort();
  }

  get periods(): ReadonlySet<string> {
    return this.shownPeriods;
  }

  get ages(): readonly NotedAge[] {
    return this.notedAges;
  }

  /** Days by slugs of indicators. */
  get rankings(): ReadonlyMap<string, string> {
    return this.rankedOn;
  }

  /** LEIs, and `CIK 320193`. */
  get entities(): ReadonlySet<string> {
    return this.shownEntities;
  }

  get citedSeries(): ReadonlySet<string> {
    return this.keys;
  }
}
