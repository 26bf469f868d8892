import type pg from 'pg';
import { ImportError } from '../../batches/importer.js';
import type { ImportKind, Permissions } from '../content-handler.js';

/** The result of comparing a delivery's observations with the database. */
export interface VintageEvaluation {
  /** `null`: the database holds all of it already. */
  readonly kind: ImportKind | null;
  readonly series: number;
  readonly changed: number;
  readonly closed: number;
}

interface Tally {
  readonly series: number;
  readonly unchanged: number;
  readonly replaced: number;
  readonly replaced_figures: number;
  readonly backfilled: number;
  readonly newest: string | null;
  readonly changed: number;
  readonly closed: number;
}

const TALLY = `
  SELECT count(*) AS series,
         count(*) FILTER (WHERE held AND affected = 0) AS unchanged,
         count(*) FILTER (WHERE held AND affected > 0) AS replaced,
         coalesce(sum(affected) FILTER (WHERE held), 0) AS replaced_figures,
         count(*) FILTER (WHERE NOT held AND newer) AS backfilled,
         (SELECT max(v.day) FROM series_vintages v JOIN declared_coverage USING (series_id)) AS newest,
         (SELECT count(*) FROM observation_differences WHERE value IS NOT NULL) AS changed,
         (SELECT count(*) FROM observation_differences WHERE value IS NULL) AS closed
  FROM declared_coverage`;

/**
 * Refuses backfills and replacements without permission. Reads `declared_coverage` and `observation_differences`.
 */
export async function evaluateVintage(
  client: pg.PoolClient,
  delivery: { readonly name: string; readonly vintage: string },
  allowed: Permissions,
): Promise<VintageEvaluation> {
  const [tally] = (await client.query<Tally>(TALLY)).rows;
  if (tally === undefined) throw new Error('The tally has no row');
  if (tally.backfilled > 0 && !allowed.backfill) {
    throw new ImportError(
      `${delivery.name}: the vintage of ${delivery.vintage} is older than a stored one ` +
        `(${tally.newest}) for ${tally.backfilled} of its ${tally.series} series. ` +
        'With --backfill it completes the history and makes no changes.',
    );
  }
  if (tally.replaced > 0 && !allowed.replace) {
    throw new ImportError(
      `${delivery.name}: the vintage of ${delivery.vintage} is already stored, and ` +
        `${tally.replaced_figures} figures differ from it, for example ${await example(client)}. ` +
        'With --replace the new file replaces it; published changes are corrected or withdrawn.',
    );
  }
  const isKnown = allowed.onlyDifferences && tally.changed + tally.closed === 0;
  const kind =
    tally.series === tally.unchanged || isKnown
      ? null
      : tally.replaced > 0
        ? 'replace'
        : tally.backfilled > 0
          ? 'backfill'
          : 'import';
  return { kind, series: tally.series, changed: tally.changed, closed: tally.closed };
}

async function example(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ cell: string; held: string | null; given: string | null; line: number | null }>(
    `SELECT concat_ws(' ', s.indicator, s.region, s.instrument, a.period) AS cell, a.held_value::text AS held,
            a.value::text AS given, t.line
     FROM observation_differences a JOIN declared_coverage e USING (series_id) JOIN series s ON s.id = a.series_id
       LEFT JOIN staged_observations t ON t.series_id = a.series_id AND t.period = a.period
     WHERE e.held ORDER BY s.indicator, s.region, s.instrument, a.period DESC LIMIT 1`,
  );
  const [row] = rows;
  if (row === undefined) return 'none';
  const where = row.line === null ? '' : ` in line ${row.line}`;
  return `${row.cell}: held ${row.held ?? 'nothing'}, given ${row.given ?? 'nothing'}${where}`;
}
