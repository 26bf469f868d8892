// What the figures of a publication change: the record for copies, and what gets the data version.
import type pg from 'pg';
import type { Versioned } from '../../domain/sources/families.js';

/** A reader of `publishedSince` replaces these periods: of the others, none has changed. */
const NOTE = `
  INSERT INTO series_versions (series_id, data_version, first_period, last_period)
  SELECT series_id, $1::integer, min(period), max(period) FROM observation_differences GROUP BY series_id`;

const CHANGED = `
  SELECT DISTINCT s.indicator, s.instrument FROM observation_differences d JOIN series s ON s.id = d.series_id
  WHERE NOT s.withheld`;

/** Call once all differences are stored, and before a series is deleted. */
export async function noteChangedFigures(client: pg.PoolClient, dataVersion: number): Promise<Versioned[]> {
  await client.query(NOTE, [dataVersion]);
  const { rows } = await client.query<{ indicator: string | null; instrument: string | null }>(CHANGED);
  const moved = new Set<Versioned>();
  for (const { indicator, instrument } of rows) {
    // Briefs show closes, and events the figures of their indicators.
    moved.add('briefs');
    if (instrument !== null) moved.add('markets').add(`markets/${instrument}`);
    if (indicator !== null) moved.add('macro').add(`macro/${indicator}`).add('ahead');
  }
  return [...moved];
}
