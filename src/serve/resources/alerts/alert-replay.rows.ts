import type { AlertSubject } from '../../../domain/figures/alert-text.js';
import { named, type TargetKey } from '../../following/targets.js';

/** $1 type, $2 key. */
export const ONE_TARGET = `SELECT $1::text AS type, $2::text AS key, n.name, n.region FROM (${named('$1', '$2')}) n`;

export interface SeriesSubjectRow extends TargetKey, AlertSubject {
  readonly series: number;
  readonly source: string;
  readonly origins: readonly string[];
}

/** The targets that have values, each with its series. $1 types, $2 keys */
export const SUBJECTS_OF_ALERTS = `
  SELECT t.type, t.key, s.id AS series, s.source_id AS source, s.origins, i.unit, r.currency,
         i.short_name AS name, r.name AS region
  FROM unnest($1::text[], $2::text[]) AS t (type, key)
    JOIN series s ON s.indicator = split_part(t.key, '@', 1) AND s.region = split_part(t.key, '@', 2)
    JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
  WHERE t.type = 'series'
  UNION ALL
  SELECT t.type, t.key, s.id, s.source_id, s.origins, n.unit, n.currency, n.name, NULL
  FROM unnest($1::text[], $2::text[]) AS t (type, key)
    JOIN series s ON s.instrument = t.key JOIN instruments n ON n.key = s.instrument
  WHERE t.type = 'instrument'`;

/** The newest periods of a series with each value that they had, in the order of periods. $1 series, $2 the limit */
export const KNOWN_FIGURES = `
  SELECT period, value::text, valid_from AS "knownFrom", valid_to AS "knownUntil" FROM (
    SELECT * FROM observations WHERE series_id = $1 ORDER BY period DESC, valid_from DESC LIMIT $2) o
  ORDER BY period, valid_from`;
