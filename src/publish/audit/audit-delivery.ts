import type pg from 'pg';
import { lastDayOf, periodOn, shiftedDay } from '../../domain/figures/periods.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import type { UnmappedCode } from '../publication/unmapped-codes.js';
import { fillAuditedTables } from './audited-tables.js';
import { CHECK_QUERIES } from './checks.js';
import { easterHolidays } from './easter.js';
import { CHECKS, type AuditedCell, type Finding } from '../publication/finding.js';
import { auditedSubjects, type AuditedSubject } from './limits.js';

/** Cells listed of a finding; it counts all. */
const MOST_CELLS = 50;

interface Row extends Omit<AuditedCell, 'file'> {
  readonly subject: string;
  readonly many: string;
  readonly most: string;
  readonly count: number;
  readonly file: number | null;
}

/** Each check is given both, but may read neither. */
const GIVEN = 'parameters AS (SELECT $1::date AS day, $2::text[] AS unmapped)';

const LIST = `
  numbered AS (
    SELECT c.*, count(*) OVER (PARTITION BY c.subject) AS count,
           row_number() OVER (PARTITION BY c.subject ORDER BY c.period DESC, c.series_id) AS number
    FROM cells c)
  SELECT n.subject, nullif(concat_ws(' ', s.instrument, s.indicator, s.region), '') AS series, n.period,
         n.held_value::text AS held, n.value::text AS value, n.many::text, n.most::text, n.count, t.file, t.line
  FROM numbered n LEFT JOIN series s ON s.id = n.series_id
    LEFT JOIN staged_observations t ON t.series_id = n.series_id AND t.period = n.period
  WHERE n.number <= ${MOST_CELLS} ORDER BY n.subject, n.number`;

/**
 * What a person should see before the delivery is published: reads `observation_differences`, `declared_coverage` and
 * `staged_observations`, and writes nothing. @param files names, by their number in `staged_observations`
 */
export async function auditDelivery(
  client: pg.PoolClient,
  vintage: string,
  files: readonly string[],
  unmapped: readonly UnmappedCode[],
): Promise<Finding[]> {
  const limits = auditedSubjects(readCatalogue()).map((subject) => limitsOn(vintage, subject));
  const kinds = await fillAuditedTables(client, vintage, limits);
  const codes = unmapped.filter(({ kind }) => kind !== 'indicator').map(({ code }) => code);
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const { sql, says, reads } = CHECK_QUERIES[check];
    if (reads !== 'all' && !reads.some((kind) => kinds.includes(kind))) continue;
    const { rows } = await client.query<Row>(`WITH ${GIVEN}, ${sql}, ${LIST}`, [vintage, codes]);
    for (const subject of new Set(rows.map((row) => row.subject))) {
      const cells = rows.filter((row) => row.subject === subject);
      const { many, most, count = 0 } = cells[0] ?? {};
      const reason = says(Number(many), Number(most));
      findings.push({ check, subject, reason, count, cells: cells.map((cell) => cellOf(cell, files)) });
    }
  }
  return findings;
}

function cellOf({ series, period, held, value, file, line }: Row, files: readonly string[]): AuditedCell {
  return { series, period, held, value, file: file === null ? null : (files[file] ?? null), line };
}

/** Periods are compared as text: those of one frequency have one form. Fiscal years end in March. */
function limitsOn(vintage: string, { restatedByHalf, closedOn, closedAtEaster, ...limits }: AuditedSubject) {
  const running = periodOn(shiftedDay(vintage, limits.daysAhead), limits.frequency);
  return {
    ...limits,
    restated_by_half: restatedByHalf,
    closed_on: closedAtEaster ? [...closedOn, ...easterHolidays(Number(vintage.slice(0, 4)))] : closedOn,
    running,
    ended: lastDayOf(running) <= vintage || limits.daysAhead > 0 ? running : '',
    fiscal_year: `FY${periodOn(shiftedDay(vintage, -89), 'A')}`,
  };
}

const DIFFERENCES = `
  SELECT concat_ws(' ', s.instrument, s.indicator, s.region) AS series, d.period, d.held_value::text AS held,
         d.value::text AS value, t.file, t.line
  FROM observation_differences d JOIN series s ON s.id = d.series_id
    LEFT JOIN staged_observations t ON t.series_id = d.series_id AND t.period = d.period
  ORDER BY d.held_value IS NULL, s.indicator, s.instrument, s.region, d.period DESC LIMIT $1`;

/** The first figures that the delivery changes: those that are stored first. */
export async function changedCells(
  client: pg.PoolClient,
  files: readonly string[],
  most: number,
): Promise<AuditedCell[]> {
  const { rows } = await client.query<Row>(DIFFERENCES, [most]);
  return rows.map((row) => cellOf(row, files));
}
