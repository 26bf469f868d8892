import type pg from 'pg';
import type { SeriesSubject } from '../../catalogue/code-book.js';

/** Vintages that covered a series before its first figure: they asserted its absence. */
const INHERIT_VINTAGES = `
  INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, changed, data_version)
  SELECT s.id, v.day, min(v.first_period), max(v.last_period), min(v.basis), false, min(v.data_version)
  FROM series s JOIN declared_vintages v
    ON v.indicator = s.indicator AND (v.region IS NULL OR v.region = s.region)
  WHERE s.id = ANY ($1) GROUP BY s.id, v.day`;

interface SeriesRow {
  readonly id: number;
  readonly indicator: string | null;
  readonly region: string | null;
  readonly instrument: string | null;
}

/** Maps subjects to ids of series; creates new series in batches. */
export class SeriesRegistry {
  private readonly numbers = new Map<string, number>();
  private readonly byIndicator = new Map<string, Set<number>>();
  private readonly unmade = new Map<string, SeriesSubject>();
  private made = 0;

  private constructor(
    private readonly client: pg.PoolClient,
    private readonly vintage: string,
  ) {}

  static async open(client: pg.PoolClient, vintage: string): Promise<SeriesRegistry> {
    const registry = new SeriesRegistry(client, vintage);
    const held = await client.query<SeriesRow>('SELECT id, indicator, region, instrument FROM series');
    for (const row of held.rows) registry.remember(row);
    return registry;
  }

  /** How many series this publication created. */
  get created(): number {
    return this.made;
  }

  find(subject: SeriesSubject): number | undefined {
    return this.numbers.get(keyOf(subject));
  }

  /** Existing series of an indicator. */
  of(indicator: string): ReadonlySet<number> {
    return this.byIndicator.get(indicator) ?? new Set();
  }

  announce(subject: SeriesSubject): void {
    const key = keyOf(subject);
    if (!this.numbers.has(key)) this.unmade.set(key, subject);
  }

  /** Creates the announced series. The publication's vintage is their baseline. */
  async make(): Promise<void> {
    if (this.unmade.size === 0) return;
    const made = await this.client.query<SeriesRow>(
      `INSERT INTO series (indicator, region, instrument, source_id, origins, withheld, baseline_day)
       SELECT indicator, region, instrument, source_id, origins, false, $2::date
       FROM jsonb_to_recordset($1::jsonb)
         AS given (indicator text, region text, instrument text, source_id text, origins text[])
       ORDER BY indicator, region, instrument
       RETURNING id, indicator, region, instrument`,
      [JSON.stringify([...this.unmade.values()].map(rowOf)), this.vintage],
    );
    await this.client.query(INHERIT_VINTAGES, [made.rows.map(({ id }) => id)]);
    for (const row of made.rows) this.remember(row);
    this.made += made.rows.length;
    this.unmade.clear();
  }

  private remember({ id, indicator, region, instrument }: SeriesRow): void {
    this.numbers.set(instrument ?? `${indicator ?? ''}|${region ?? ''}`, id);
    if (indicator === null) return;
    const ids = this.byIndicator.get(indicator) ?? new Set();
    this.byIndicator.set(indicator, ids.add(id));
  }
}

/** An instrument's key contains no bar, so the two forms cannot collide. */
function keyOf(subject: SeriesSubject): string {
  return 'instrument' in subject ? subject.instrument.key : `${subject.indicator.slug}|${subject.region.code}`;
}

function rowOf(subject: SeriesSubject) {
  if ('instrument' in subject) {
    const { key, source } = subject.instrument;
    return { instrument: key, source_id: source, origins: [] };
  }
  const { indicator, region } = subject;
  return { indicator: indicator.slug, region: region.code, source_id: indicator.source, origins: indicator.origins };
}
