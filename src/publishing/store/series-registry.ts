import type pg from 'pg';
import { sourceOf } from '../catalogue/catalogue.js';
import type { IndicatorEntry, RegionEntry } from '../catalogue/catalogue.schema.js';

/** Vintages that spoke of a series before it was held: they said that it had no figures. */
const INHERIT_VINTAGES = `
  INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, revision_id)
  SELECT s.id, v.day, min(v.first_period), max(v.last_period), min(v.basis), min(v.revision_id)
  FROM series s JOIN spoken_vintages v
    ON v.indicator = s.indicator AND (v.region IS NULL OR v.region = s.region)
  WHERE s.id = ANY ($1) GROUP BY s.id, v.day`;

/** Knows each series' number; series that are met for the first time are made in batches. */
export class SeriesRegistry {
  private readonly numbers = new Map<string, number>();
  private readonly byIndicator = new Map<string, Set<number>>();
  private readonly unmade = new Map<string, readonly [IndicatorEntry, RegionEntry]>();
  private made = 0;

  private constructor(
    private readonly client: pg.PoolClient,
    private readonly vintage: string,
  ) {}

  static async open(client: pg.PoolClient, vintage: string): Promise<SeriesRegistry> {
    const registry = new SeriesRegistry(client, vintage);
    const held = await client.query<{ id: number; indicator: string; region: string }>(
      'SELECT id, indicator, region FROM series',
    );
    for (const row of held.rows) registry.remember(row);
    return registry;
  }

  /** How many series this publication has made. */
  get created(): number {
    return this.made;
  }

  find(indicator: string, region: string): number | undefined {
    return this.numbers.get(`${indicator}|${region}`);
  }

  of(indicator: string): ReadonlySet<number> {
    return this.byIndicator.get(indicator) ?? new Set();
  }

  announce(indicator: IndicatorEntry, region: RegionEntry): void {
    const key = `${indicator.slug}|${region.code}`;
    if (!this.numbers.has(key)) this.unmade.set(key, [indicator, region]);
  }

  /** Makes what was announced: the vintage of the publication is its baseline. */
  async make(): Promise<void> {
    if (this.unmade.size === 0) return;
    const rows = [...this.unmade.values()].map(([indicator, region]) => ({
      indicator: indicator.slug,
      region: region.code,
      source_id: sourceOf(indicator),
      origins: indicator.origins,
    }));
    const made = await this.client.query<{ id: number; indicator: string; region: string }>(
      `INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
       SELECT indicator, region, source_id, origins, false, $2::date
       FROM jsonb_to_recordset($1::jsonb) AS given (indicator text, region text, source_id text, origins text[])
       ORDER BY indicator, region
       RETURNING id, indicator, region`,
      [JSON.stringify(rows), this.vintage],
    );
    await this.client.query(INHERIT_VINTAGES, [made.rows.map(({ id }) => id)]);
    for (const row of made.rows) this.remember(row);
    this.made += made.rows.length;
    this.unmade.clear();
  }

  private remember({ id, indicator, region }: { id: number; indicator: string; region: string }): void {
    this.numbers.set(`${indicator}|${region}`, id);
    const ids = this.byIndicator.get(indicator) ?? new Set();
    this.byIndicator.set(indicator, ids.add(id));
  }
}
