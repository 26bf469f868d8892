// What the figures of a publication change: the record for copies, and what gets the data version.
import type pg from 'pg';
import type { Versioned } from '../../domain/sources/families.js';

/** A reader of `publishedSince` replaces these periods: of the others, none has changed. */
const NOTE = `
  INSERT INTO series_versions (series_id, data_version, first_period, last_period)
  SELECT series_id, $1::integer, min(period), max(period) FROM observation_differences GROUP BY series_id`;

const SPANS = `
  UPDATE series s SET oldest_period = k.first, newest_period = k.newest
  FROM (SELECT DISTINCT series_id FROM observation_differences) d CROSS JOIN LATERAL (
    SELECT min(o.period) AS first, max(o.period) AS newest FROM observations o
    WHERE o.series_id = d.series_id AND o.valid_to IS NULL) k
  WHERE s.id = d.series_id AND (s.oldest_period, s.newest_period) IS DISTINCT FROM (k.first, k.newest)`;

const CHANGED = `
  SELECT DISTINCT s.indicator, s.instrument FROM observation_differences d JOIN series s ON s.id = d.series_id
  WHERE NOT s.withheld`;

/** Call once all differences are stored, and before a series is deleted. */
export async function noteChangedFigures(client: pg.PoolClient, dataVersion: number): Promise<Versioned[]> {
  await client.query(NOTE, [dataVersion]);
  await client.query(SPANS);
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
