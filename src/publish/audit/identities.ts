// The check of identities that the catalogue states: GDP per head is GDP by population.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Check } from '../publication/check.js';

/** By how much a figure differs from what follows from the others; `earlier` is the first one's figure of the year before. */
const ERROR = `
  CASE kind WHEN 'quotient' THEN abs(first / nullif(second, 0) / nullif(result, 0) - 1)
            WHEN 'difference' THEN abs(first - second - result)
            WHEN 'deflated' THEN abs((first - second) / nullif(100 + second, 0) * 100 - result)
            WHEN 'growth' THEN CASE WHEN first > 0 AND earlier > 0 THEN abs(ln(first / earlier) * 100 - result) END END`;

export interface Identity {
  readonly subject: string;
  readonly kind: string;
  readonly first: string;
  readonly second: string | null;
  readonly tolerance: number;
}

export const identitiesOf = ({ indicators }: Catalogue): Identity[] =>
  indicators.flatMap(({ slug, identity }) => {
    const [first, second = null] = identity?.of ?? [];
    return identity === undefined || first === undefined
      ? []
      : [{ subject: slug, kind: identity.is, first, second, tolerance: identity.tolerance }];
  });

/** What the figures of one state are, and their error. */
const errorsOf = (value: string): string => `
  SELECT *, ${ERROR} AS error FROM (
    SELECT *, lag(first) OVER (PARTITION BY identity, region ORDER BY period) AS earlier FROM (
      SELECT identity, kind, tolerance, region, period, max(${value}) FILTER (WHERE role = 1) AS result,
             max(${value}) FILTER (WHERE role = 2) AS first, max(${value}) FILTER (WHERE role = 3) AS second
      FROM members GROUP BY identity, kind, tolerance, region, period) g) h`;

export const IDENTITIES = {
  identity: {
    reads: ['added', 'restated'],
    sql: `
  members AS MATERIALIZED (
    SELECT i.subject AS identity, i.kind, i.tolerance, m.role, s.id AS series_id, s.indicator AS subject, s.region, f.*,
           coalesce(f.given, f.stored) AS value
    FROM audit_identities i CROSS JOIN LATERAL (
        VALUES (1, i.subject), (2, i.first), (3, i.second)) m (role, slug)
      JOIN series s ON s.indicator = m.slug CROSS JOIN LATERAL (
        SELECT coalesce(o.period, c.period) AS period, o.value::float8 AS stored, c.value::float8 AS given
        FROM (SELECT period, value FROM observations
              WHERE series_id = s.id AND known_on($1::date - 1, valid_from, valid_to)) o
          FULL JOIN (SELECT period, value FROM audited_figures WHERE series_id = s.id AND value IS NOT NULL) c USING (period)) f
    WHERE i.subject IN (
      SELECT j.subject FROM audit_identities j WHERE EXISTS (
        SELECT FROM audited_figures WHERE subject IN (j.subject, j.first, j.second)))),
  were AS (${errorsOf('stored')}),
  kept AS (
    -- Copies of several days do not agree with each other: their identities say nothing.
    SELECT identity FROM were WHERE error IS NOT NULL GROUP BY identity
    HAVING avg(CASE WHEN error <= tolerance THEN 1 ELSE 0 END) > 0.95),
  broken AS (
    SELECT n.identity, n.region, n.period, n.error::numeric AS error, n.tolerance
    FROM (${errorsOf('value')}) n JOIN kept USING (identity) LEFT JOIN were w USING (identity, region, period)
    WHERE n.error > n.tolerance AND coalesce(w.error <= w.tolerance, true)),
  cells AS (
    -- Of the figures that the delivery changes, the one that is farthest from where it stood.
    SELECT DISTINCT ON (b.identity, b.region, b.period) m.subject, m.series_id, m.period, m.given::numeric AS value,
           m.stored::numeric AS held_value, b.error AS many, b.tolerance AS most
    FROM broken b JOIN members m USING (identity, region, period)
      LEFT JOIN audited_steps t ON t.series_id = m.series_id AND t.period = m.period
    WHERE m.given IS NOT NULL
    ORDER BY b.identity, b.region, b.period,
      abs(m.given - coalesce(m.stored, t.before)) / nullif(abs(coalesce(m.stored, t.before)), 0) DESC NULLS LAST)`,
    says: (many, most) =>
      `by ${Number(many.toPrecision(3))} off what follows from others, where ${most} passes: see the identity in the catalogue`,
  },
} satisfies Readonly<Record<string, Check>>;
