import type { RegionEntity } from '../macro/region.entity.js';
import type { HeatDayEntity } from './heat.entity.js';

export type RegionRow = Pick<RegionEntity, 'code' | 'name'>;

/** One non-empty window of one economy. */
export interface WindowRow extends Pick<HeatDayEntity, 'region' | 'importance' | 'changes' | 'retrieved'> {
  /** 0 is the requested window, 1 the previous one, … */
  readonly age: number;
}

export interface TopChangeRow {
  readonly region: string;
  readonly id: string;
  readonly headline: string;
  readonly sources: readonly string[];
}

export const ONE_REGION = 'SELECT code, name FROM regions WHERE code = $1';

/** $1 domain, $2 region */
export const NEWEST_DAY_OF_REGION = 'SELECT max(day) AS day FROM heat_days WHERE coverage = $1 AND region = $2';

/** $1 domain */
export const NEWEST_DAY = `
  SELECT max(n.day) AS day FROM regions r CROSS JOIN LATERAL (
    SELECT h.day FROM heat_days h WHERE h.coverage = $1 AND h.region = r.code ORDER BY h.day DESC LIMIT 1) n
  WHERE r.kind = 'country'`;

const SUMS = `
  SELECT h.region, ($2::date - h.day) / $3::integer AS age,
         sum(h.importance)::integer AS importance, sum(h.changes)::integer AS changes,
         bool_or(h.retrieved) AS retrieved
  FROM heat_days h`;

/** $1 domain, $2 last day, $3 days per window, $4 days of all windows together, $5 region */
export const WINDOWS_OF_REGION = `${SUMS}
  WHERE h.coverage = $1 AND h.region = $5 AND h.day <= $2 AND h.day > $2::date - $4::integer
  GROUP BY 1, 2`;

/** The same for every country. $1 domain, $2 last day, $3 days per window, $4 days of all windows together */
export const WINDOWS = `${SUMS} JOIN regions r ON r.code = h.region AND r.kind = 'country'
  WHERE h.coverage = $1 AND h.day <= $2 AND h.day > $2::date - $4::integer
  GROUP BY 1, 2`;

/**
 * The most important changes of a window, taken from the most important of each day. $1 domain, $2 last day, $3 days,
 * $4 regions, $5 locale
 */
export const TOP_CHANGES = `
  SELECT n.region, c.id, c.headline ->> $5::text AS headline, coalesce(s.origins, '{}') || c.source_id AS sources
  FROM unnest($4::text[]) WITH ORDINALITY AS n (region, ordinal) CROSS JOIN LATERAL (
      SELECT c.* FROM heat_days h CROSS JOIN LATERAL unnest(h.top) AS t (position)
        JOIN changes c ON c.position = t.position
      WHERE h.coverage = $1 AND h.region = n.region AND h.day <= $2 AND h.day > $2::date - $3::integer
      ORDER BY c.importance DESC, c.position DESC LIMIT 3) c
    LEFT JOIN series s ON s.id = c.series_id
  ORDER BY n.ordinal, c.importance DESC, c.position DESC`;
