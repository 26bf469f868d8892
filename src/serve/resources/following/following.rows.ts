import { firesSql, MOST_EVENTS_AT_ONCE } from '../../../domain/figures/alert-evaluation.js';
import { named, type TargetType } from '../../following/targets.js';
import type { FollowEntity } from '../../following/follow.entity.js';
import type { TargetRow } from './target.view.js';

export type FollowRow = TargetRow & Pick<FollowEntity, 'id' | 'since'>;

/** $1 account. All of them, newest first. */
export const FOLLOWS = `
  SELECT f.id, f.target_type AS type, f.target_key AS key, f.since, n.name, n.region
  FROM follows f LEFT JOIN LATERAL (${named('f.target_type', 'f.target_key')}) n ON true
  WHERE f.account_id = $1 ORDER BY f.since DESC, f.target_type, f.target_key`;

export interface FollowedRow {
  readonly position: number;
  readonly followed: readonly TargetRow[];
}

/** Finds the positions of a target's changes; each link table has a (target, position) index. */
const linked = (type: TargetType, table: string, column: string, join = '', key = 'f.target_key'): string => `
    SELECT f.id, p.position FROM own f ${join} CROSS JOIN LATERAL (
      SELECT l.position FROM ${table} l CROSS JOIN LATERAL (
        SELECT FROM changes c WHERE c.position = l.position AND c.status <> 'withdrawn' OFFSET 0) stands
      WHERE l.${column} = ${key} AND l.position < $2 ORDER BY l.position DESC LIMIT $3) p
    WHERE f.target_type = '${type}'`;

const ofSeries = (type: TargetType, join: string): string => `
    SELECT f.id, p.position FROM own f JOIN series s ON ${join} CROSS JOIN LATERAL (
      SELECT c.position FROM changes c
      WHERE c.series_id = s.id AND c.position < $2 AND c.status <> 'withdrawn'
      ORDER BY c.position DESC LIMIT $3) p
    WHERE f.target_type = '${type}'`;

/** Positions of the changes of each target of `own`, below $2, at most $3 of each. */
const TOUCHED = [
  linked('topic', 'change_topics', 'topic'),
  linked('coverage', 'change_coverage', 'coverage'),
  linked('country', 'change_regions', 'region'),
  linked('entity', 'change_entities', 'entity'),
  linked('company', 'change_entities', 'entity', 'JOIN companies x ON x.slug = f.target_key', 'x.entity_id'),
  ofSeries('instrument', 's.instrument = f.target_key'),
  ofSeries('indicator', 's.indicator = f.target_key'),
  ofSeries('series', `s.indicator = split_part(f.target_key, '@', 1) AND s.region = split_part(f.target_key, '@', 2)`),
].join('\n    UNION ALL');

/**
 * $1 account, $2 an exclusive upper position, $3 the limit. Merges the newest positions of each followed target: the
 * newest n of all targets are among the newest n of each.
 */
export const FOLLOWED_POSITIONS = `
  WITH own AS MATERIALIZED (SELECT id, target_type, target_key, since FROM follows WHERE account_id = $1),
  touched AS (${TOUCHED}
  ), page AS MATERIALIZED (
    SELECT position, array_agg(id) AS follows FROM touched GROUP BY position ORDER BY position DESC LIMIT $3
  )
  SELECT page.position, (
    SELECT jsonb_agg(jsonb_build_object(
             'type', f.target_type, 'key', f.target_key, 'name', n.name, 'region', n.region) ORDER BY f.since DESC, f.target_type, f.target_key)
    FROM own f LEFT JOIN LATERAL (${named('f.target_type', 'f.target_key')}) n ON true
    WHERE f.id = ANY (page.follows)) AS followed
  FROM page ORDER BY page.position DESC`;

/**
 * $1 type, $2 an exclusive upper position, $3 the limit, $4 key. The changes of one target that would fire an alert on
 * any change, newest first, as many of each publication as publishing lets fire.
 */
export const FIRING_POSITIONS = `
  WITH own AS MATERIALIZED (SELECT '' AS id, $1::text AS target_type, $4::text AS target_key),
  touched AS (${TOUCHED}
  ), newest AS MATERIALIZED (
    SELECT DISTINCT position FROM touched ORDER BY position DESC LIMIT $3
  )
  SELECT position FROM (
    SELECT c.position, row_number() OVER (PARTITION BY c.data_version ORDER BY c.position DESC) AS rank
    FROM newest JOIN changes c USING (position) LEFT JOIN series s ON s.id = c.series_id
    WHERE ${firesSql('c', 's')}) ranked
  WHERE rank <= ${MOST_EVENTS_AT_ONCE} ORDER BY position DESC`;
