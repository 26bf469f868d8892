// The check of identities that the catalogue states: GDP per head is GDP by population.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Check } from '../publication/check.js';

/** By how much a figure differs from what follows from the others; `was_` are the figures of the period before. */
const ERROR = `
  CASE kind WHEN 'quotient' THEN abs(first / nullif(second, 0) / nullif(result, 0) - 1)
            WHEN 'difference' THEN abs(first - second - result)
            WHEN 'deflated' THEN abs((first - second) / nullif(100 + second, 0) * 100 - result)
            WHEN 'growth' THEN CASE WHEN first > 0 AND was_first > 0 THEN abs(ln(first / was_first) * 100 - result) END
            WHEN 'surplus' THEN abs(first + second / nullif(third, 0) * 100 - result)
            WHEN 'alongside' THEN
              CASE WHEN least(result, was_result, first, was_first) > 0
                   THEN abs(ln(result / was_result) - ln(first / was_first)) END
            WHEN 'converted' THEN
              CASE WHEN least(result, was_result, third, was_third, 100 + first, 100 + second) > 0
                   THEN abs(ln(result / was_result) - ln(1 + first / 100) - ln(1 + second / 100) + ln(third / was_third)) END END`;

/** Stored periods that show how well a country's figures obey an identity, and how many of them it takes. */
const SHOWN = 25;
const LEAST_SHOWN = 5;
/** From three years before that of the vintage on, figures are new. */
const NEW_YEARS = 3;

export interface Identity {
  readonly subject: string;
  readonly kind: string;
  readonly first: string;
  readonly second: string | null;
  readonly third: string | null;
  readonly tolerance: number;
}

export const identitiesOf = ({ indicators }: Catalogue): Identity[] =>
  indicators.flatMap(({ slug, identity }) => {
    const [first, second = null, third = null] = identity?.of ?? [];
    return identity === undefined || first === undefined
      ? []
      : [{ subject: slug, kind: identity.is, first, second, third, tolerance: identity.tolerance }];
  });

/** Also of a fiscal year. */
const yearOf = (period: string): string => `substring(${period} FROM '[0-9]{4}')::integer`;

/** Of the year before, not of one before a gap. */
const was = (role: string): string =>
  `CASE WHEN ${yearOf('lag(period) OVER w')} >= ${yearOf('period')} - 1 THEN lag(${role}) OVER w END AS was_${role}`;

/** What the figures of one state are, and their error. */
const errorsOf = (value: string): string => `
  SELECT *, ${ERROR} AS error FROM (
    SELECT *, ${['result', 'first', 'third'].map(was).join(', ')} FROM (
      SELECT identity, kind, tolerance, region, period, ${['result', 'first', 'second', 'third']
        .map((role, index) => `max(${value}) FILTER (WHERE role = ${index + 1}) AS ${role}`)
        .join(', ')}
      FROM members GROUP BY identity, kind, tolerance, region, period) g
    WINDOW w AS (PARTITION BY identity, region ORDER BY period)) h`;

export const IDENTITIES = {
  identity: {
    reads: ['added', 'restated'],
    sql: `
  members AS MATERIALIZED (
    SELECT i.subject AS identity, i.kind, i.tolerance, m.role, s.id AS series_id, s.indicator AS subject, s.region, f.*,
           coalesce(f.given, f.stored) AS value
    FROM audit_identities i CROSS JOIN LATERAL (
        VALUES (1, i.subject), (2, i.first), (3, i.second), (4, i.third)) m (role, slug)
      JOIN series s ON s.indicator = m.slug CROSS JOIN LATERAL (
        SELECT coalesce(o.period, c.period) AS period, o.value::float8 AS stored, c.value::float8 AS given
        FROM (SELECT period, value FROM observations
              WHERE series_id = s.id AND known_on($1::date - 1, valid_from, valid_to)) o
          FULL JOIN (SELECT period, value FROM audited_figures WHERE series_id = s.id AND value IS NOT NULL) c USING (period)) f
    WHERE i.subject IN (
      SELECT j.subject FROM audit_identities j WHERE EXISTS (
        SELECT FROM audited_figures WHERE subject IN (j.subject, j.first, j.second, j.third)))),
  were AS (${errorsOf('stored')}),
  kept AS (
    -- Copies of several days do not agree with each other: the figures of a country may err twice as much as they did.
    SELECT identity, region, greatest(tolerance, 2 * max(error)) AS most
    FROM (SELECT *, row_number() OVER (PARTITION BY identity, region ORDER BY period DESC) AS number
          FROM were WHERE error IS NOT NULL) n
    WHERE number <= ${SHOWN} GROUP BY identity, region, tolerance HAVING count(*) >= ${LEAST_SHOWN}),
  broken AS (
    SELECT n.identity, n.kind, n.region, n.period, n.error::numeric AS error, k.most::numeric AS most
    FROM (${errorsOf('value')}) n JOIN kept k USING (identity, region) LEFT JOIN were w USING (identity, region, period)
    WHERE n.error > k.most AND coalesce(w.error <= k.most, true)),
  changed AS (
    SELECT b.*, m.subject, m.series_id, m.given::numeric AS value, m.stored::numeric AS held_value,
           row_number() OVER (
             PARTITION BY b.identity, b.region, b.period
             ORDER BY abs(m.given - coalesce(m.stored, t.before)) / nullif(abs(coalesce(m.stored, t.before)), 0)
               DESC NULLS LAST) AS place
    FROM broken b JOIN members m USING (identity, region, period)
      LEFT JOIN audited_steps t ON t.series_id = m.series_id AND t.period = m.period
    WHERE m.given IS NOT NULL
      -- A country took the euro, had a market rate beside the official one, or joined two methods: rates and levels are
      -- compared where they are new.
      AND (b.kind IN ('quotient', 'difference', 'deflated', 'growth')
        OR ${yearOf('b.period')} >= extract(year FROM $1::date) - ${NEW_YEARS})),
  cells AS (
    -- Of a quotient, the figure that is farthest from where it stood. Of rates and levels, none can be told: they wait together.
    SELECT subject, series_id, period, value, held_value, error AS many, most FROM changed
    WHERE place = 1 OR kind IN ('converted', 'surplus'))`,
    says: (many, most) =>
      `by ${Number(many.toPrecision(3))} off what follows from others, where ${Number(most.toPrecision(3))} passes: see the identity in the catalogue`,
  },
} satisfies Readonly<Record<string, Check>>;
