// What a document of a change is made of: its row, and the names of the catalogue.
import type pg from 'pg';
import type { RevisionFacts } from '../../derive/revision-facts.rule.js';
import type { FigureContext } from '../../derive/context.rule.js';
import type { MissingReason } from '../../../domain/figures/figure.schema.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { SourceLevel } from '../../../domain/sources/source.schema.js';

export type StoredContext = FigureContext & { readonly text: Localized };

/** Decimals are texts, so that they keep every digit. */
export interface StoredChange {
  readonly position: number;
  readonly kind: string;
  readonly status: string;
  readonly evidenceClass: string;
  readonly headline: Localized;
  readonly summary: Localized;
  readonly importance: number;
  readonly occurredAt: Date;
  readonly occurredPrecision: 'day' | 'instant';
  readonly occurredBasis: string;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  readonly source: string;
  readonly level: SourceLevel;
  readonly origins: readonly string[];
  readonly knownSince: string;
  readonly period: string | null;
  readonly actualValue: string | null;
  readonly previousValue: string | null;
  readonly previousPeriod: string | null;
  readonly previousMissing: MissingReason | null;
  readonly previousKnownSince: string | null;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  readonly revision: RevisionFacts | null;
  readonly context: StoredContext | null;
  /** Of a series: the indicator and its region, or the instrument. */
  readonly indicator: string | null;
  readonly region: string | null;
  readonly instrument: string | null;
  readonly entity: { readonly id: string; readonly name: string } | null;
  readonly regions: readonly string[];
  readonly coverage: readonly string[];
  readonly topics: readonly string[];
  readonly entities: readonly { readonly id: string; readonly name: string }[];
  readonly companies: readonly { readonly slug: string; readonly name: string }[];
  readonly signals: readonly { readonly id: string; readonly title: Localized }[];
}

/** A change that may be shown. */
export const SHOWN = `c.status <> 'withdrawn'
  AND NOT EXISTS (SELECT FROM sources p WHERE p.id = c.source_id AND p.withheld)
  AND NOT EXISTS (SELECT FROM series s WHERE s.id = c.series_id AND s.withheld)`;

const OPEN = '(SELECT id FROM sources WHERE NOT withheld)';

/** The facts of the changes in `moved_changes`, by position. */
export const FACTS = `
  SELECT c.position, c.kind, c.status, c.evidence_class AS "evidenceClass", c.headline, c.summary, c.importance,
    c.occurred_at AS "occurredAt", c.occurred_precision AS "occurredPrecision", c.occurred_basis AS "occurredBasis",
    c.published_at AS "publishedAt", c.updated_at AS "updatedAt", c.source_id AS source, p.level,
    coalesce(s.origins, '{}') AS origins, c.known_since AS "knownSince", c.period,
    c.actual_value AS "actualValue", c.previous_value AS "previousValue", c.previous_period AS "previousPeriod",
    c.previous_missing AS "previousMissing", c.previous_known_since AS "previousKnownSince", c.delta,
    c.delta_percent AS "deltaPercent", c.revision, c.context, s.indicator, s.region, s.instrument,
    CASE WHEN e.id IS NOT NULL THEN jsonb_build_object('id', e.id, 'name', coalesce(e.name, e.lei)) END AS entity,
    ARRAY(SELECT x.region FROM change_regions x WHERE x.position = c.position ORDER BY 1) AS regions,
    ARRAY(SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) AS coverage,
    ARRAY(SELECT x.topic FROM change_topics x WHERE x.position = c.position) AS topics,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', coalesce(t.name, t.lei)) ORDER BY t.id), '[]')
       FROM change_entities x JOIN entities t ON t.id = x.entity AND t.source_id IN ${OPEN}
       WHERE x.position = c.position) AS entities,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('slug', m.slug, 'name', t.name) ORDER BY m.slug), '[]')
       FROM change_entities x JOIN companies m ON m.entity_id = x.entity AND m.listed AND m.source_id IN ${OPEN}
         JOIN entities t ON t.id = x.entity AND t.source_id IN ${OPEN}
       WHERE x.position = c.position) AS companies,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title) ORDER BY g.rank DESC, g.id), '[]')
       FROM signal_changes x JOIN signals g ON g.id = x.signal WHERE x.position = c.position) AS signals
  FROM moved_changes v JOIN changes c USING (position)
    JOIN sources p ON p.id = c.source_id
    LEFT JOIN series s ON s.id = c.series_id
    LEFT JOIN entities e ON e.id = c.entity_id
  WHERE ${SHOWN}
  ORDER BY c.position`;

interface Named {
  readonly key: string;
  readonly name: Localized;
}

/** The catalogue's entries by key. */
export interface ShownNames {
  readonly indicators: ReadonlyMap<string, Named & { readonly shortName: Localized; readonly unit: UnitCode }>;
  readonly instruments: ReadonlyMap<string, Named & { readonly unit: UnitCode; readonly currency: string | null }>;
  readonly regions: ReadonlyMap<string, Named & { readonly currency: string | null }>;
  readonly coverage: ReadonlyMap<string, Named & { readonly ordinal: number }>;
  readonly topics: ReadonlyMap<string, Named & { readonly ordinal: number }>;
}

export async function readShownNames(client: pg.PoolClient): Promise<ShownNames> {
  const read = async <Row extends Named>(columns: string, table: string): Promise<Map<string, Row>> => {
    const { rows } = await client.query<Row>(`SELECT ${columns} FROM ${table}`);
    return new Map(rows.map((row) => [row.key, row]));
  };
  return {
    indicators: await read('slug AS key, name, short_name AS "shortName", unit', 'indicators'),
    instruments: await read('key, name, unit, currency', 'instruments'),
    regions: await read('code AS key, name, currency', 'regions'),
    coverage: await read('key, name, ordinal', 'coverage_domains'),
    topics: await read('slug AS key, name, ordinal', 'topics'),
  };
}
