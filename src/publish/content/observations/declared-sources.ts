import type pg from 'pg';
import type { CodeBook } from '../../catalogue/code-book.js';
import { isNamedIn } from '../../../domain/sources/named-source.js';
import type { SourceNote } from '../../batches/importer.js';

interface WithheldSource {
  readonly id: string;
  readonly publisher: string;
}

/** Adds declared sources to the origins of their series; triggers then decide on withholding. */
const APPLY = `
  UPDATE series s SET origins = s.origins || noted.ids
  FROM (
    SELECT s.id, array_agg(DISTINCT n.source_id ORDER BY n.source_id) AS ids
    FROM declared_sources n JOIN series s ON n.source_id <> ALL (s.origins) AND n.source_id <> s.source_id
      AND (s.instrument = n.instrument OR s.indicator = n.indicator AND (n.region IS NULL OR n.region = s.region))
    GROUP BY s.id
  ) noted
  WHERE noted.id = s.id AND NOT s.withheld`;

/** Finds withheld sources in what files say about their origins. */
export class DeclaredSources {
  private noted = 0;

  private constructor(
    private readonly client: pg.PoolClient,
    private readonly codes: CodeBook,
    private readonly withheld: readonly WithheldSource[],
  ) {}

  static async open(client: pg.PoolClient, codes: CodeBook): Promise<DeclaredSources> {
    const withheld = await client.query<WithheldSource>(
      `SELECT id, publisher ->> 'en' AS publisher FROM sources WHERE withheld ORDER BY id`,
    );
    return new DeclaredSources(client, codes, withheld.rows);
  }

  async take(notes: readonly SourceNote[]): Promise<void> {
    for (const { indicator: code, region, note } of notes) {
      const named = this.withheld.filter((source) => isNamedIn(note, source));
      if (named.length === 0) continue;
      const indicator = this.codes.indicator(code)?.slug ?? null;
      const instrument = indicator === null ? (this.codes.instrument(code)?.key ?? null) : null;
      if (indicator === null && instrument === null) continue;
      const place = region === null ? null : (this.codes.region(region)?.code ?? null);
      const made = await this.client.query(
        `INSERT INTO declared_sources (indicator, region, instrument, source_id)
         SELECT $1, $2, $3, unnest($4::text[]) ON CONFLICT DO NOTHING`,
        [indicator, place, instrument, named.map(({ id }) => id)],
      );
      this.noted += made.rowCount ?? 0;
    }
  }

  /**
   * Call when all series of the delivery exist.
   * @returns how many declarations are new, and the series that they withhold
   */
  async apply(): Promise<number> {
    return this.noted + ((await this.client.query(APPLY)).rowCount ?? 0);
  }
}
