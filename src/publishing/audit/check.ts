// What every check of figures is made of.

/**
 * Every query reads `limits` (one row a subject) and `changed` (figures that the delivery changes, with their subject).
 * `cells` lists what fails: subject, series_id, period, value, held_value, and what the sentence says: `many` (the
 * number, share or ratio that was found) of `most` (the one that passes).
 */
export interface Check {
  /** Runs only where the delivery changes figures that are already stored, or adds to such series. */
  readonly compares: boolean;
  readonly sql: string;
  /** Why it fails: the subject and the number of its figures stand before it. */
  readonly says: (many: number, most: number) => string;
}

/** The newest stored figure of each series, and the new figures after it in order. */
export const STEPS = `
  grown AS (
    SELECT DISTINCT series_id, subject FROM changed WHERE held_value IS NULL AND value IS NOT NULL),
  last_stored AS (
    SELECT g.series_id, g.subject, o.period, o.value
    FROM grown g CROSS JOIN LATERAL (
      SELECT period, value FROM observations
      WHERE series_id = g.series_id AND valid_from <= $2::date AND (valid_to IS NULL OR valid_to > $2::date)
      ORDER BY period DESC LIMIT 1) o),
  added AS (
    SELECT c.series_id, c.subject, c.period, c.value,
           coalesce(lag(c.value) OVER (PARTITION BY c.series_id ORDER BY c.period), n.value) AS before
    FROM changed c JOIN last_stored n USING (series_id) WHERE c.value IS NOT NULL AND c.period > n.period)`;
