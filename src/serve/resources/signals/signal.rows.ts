import type { Localized } from '../../../domain/locale/locale.js';
import type { SignalEntity } from './signal.entity.js';

export interface SignalRow extends Pick<SignalEntity, 'id' | 'rule' | 'status' | 'evidenceClass'> {
  readonly title: string;
  readonly summary: string;
  readonly total: number;
  readonly independent: number;
  readonly publishers: number;
  readonly byLevel: SignalEntity['evidenceLevels'];
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly regions: readonly string[];
  readonly coverage: readonly { key: string; name: Localized }[];
  readonly topics: readonly { slug: string; name: Localized }[];
  readonly sources: readonly string[];
  /** Its changes, newest first. */
  readonly positions: readonly number[];
}

export type SignalItemRow = Pick<SignalRow, 'id' | 'title' | 'status' | 'lastSeen'>;

/** One signal with the values computed from its changes, of which there are a few hundred at most. $1 id, $2 locale */
export const ONE_SIGNAL = `
  SELECT g.id, g.title ->> $2::text AS title, g.summary ->> $2::text AS summary, g.rule, g.status,
         g.evidence_class AS "evidenceClass", g.evidence_total AS total, g.evidence_independent AS independent,
         g.evidence_publishers AS publishers, g.evidence_levels AS "byLevel",
         g.first_seen_on AS "firstSeen", g.last_seen_on AS "lastSeen",
         ARRAY(SELECT DISTINCT x.region FROM signal_changes l JOIN change_regions x USING (position)
               WHERE l.signal = g.id ORDER BY 1) AS regions,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'name', d.name) ORDER BY d.ordinal), '[]')
            FROM coverage_domains d WHERE d.key IN (
              SELECT x.coverage FROM signal_changes l JOIN change_coverage x USING (position)
              WHERE l.signal = g.id)) AS coverage,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name) ORDER BY t.ordinal), '[]')
            FROM topics t WHERE t.slug IN (
              SELECT x.topic FROM signal_topics x WHERE x.signal = g.id)) AS topics,
         ARRAY(SELECT DISTINCT n.id FROM signal_changes l JOIN changes c USING (position)
                 LEFT JOIN series s ON s.id = c.series_id
                 CROSS JOIN LATERAL unnest(coalesce(s.origins, '{}') || c.source_id) AS n (id)
               WHERE l.signal = g.id ORDER BY 1) AS sources,
         (SELECT coalesce(jsonb_agg(newest.position ORDER BY newest.position DESC), '[]')
            FROM (SELECT l.position FROM signal_changes l WHERE l.signal = g.id
                  ORDER BY l.position DESC LIMIT 20) newest) AS positions
  FROM signals g WHERE g.id = $1`;

/** Signals that are not closed come first, then the newest. $1 topic, $2 locale */
export const SIGNALS_OF_TOPIC = `
  SELECT g.id, g.title ->> $2::text AS title, g.status, g.last_seen_on AS "lastSeen"
  FROM (SELECT t.signal, t.rank FROM signal_topics t WHERE t.topic = $1
        ORDER BY t.rank DESC, t.signal DESC LIMIT 20) t
    JOIN signals g ON g.id = t.signal
  ORDER BY t.rank DESC, t.signal DESC`;
