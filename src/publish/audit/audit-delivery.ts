import type pg from 'pg';
import { lastDayOf, periodOn, shiftedDay } from '../../domain/figures/periods.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import type { UnmappedCode } from '../publication/unmapped-codes.js';
import { fillAuditedTables } from './audited-tables.js';
import { CHECK_QUERIES } from './checks.js';
import { CHECKS, type AuditedCell, type FigureCheck, type Finding } from '../publication/finding.js';
import { identitiesOf } from './identities.js';
import { auditedSubjects, type AuditedSubject } from './limits.js';

/** Cells listed of a finding; it counts all. */
const MOST_CELLS = 50;

interface Row extends Omit<AuditedCell, 'file'> {
  readonly check: FigureCheck;
  readonly subject: string;
  readonly many: number;
  readonly most: number;
  readonly count: number;
  readonly file: number | null;
}

/** Each check is given both, but may read neither. */
const GIVEN = 'parameters AS (SELECT $1::date AS day, $2::text[] AS unmapped)';

/** What failed: a list of releases uses the same table for each of its days. */
const FAILED = `
  CREATE TEMP TABLE IF NOT EXISTS failed_cells (
    check_name text NOT NULL, subject text, series_id integer, period text COLLATE "C", value numeric,
    held_value numeric, many float8, most float8) ON COMMIT DROP`;

const ADD = `
  INSERT INTO failed_cells SELECT $3::text, subject, series_id, period, value, held_value, many, most FROM cells`;

/** The days of the week or month of a failed average. */
const within = (days: string): string =>
  `f.period IN (left(${days}.period, 7), to_char(${days}.period::date, 'IYYY-"W"IW'))`;

/** What an operator accepted passes while the publisher repeats it. */
const EXCEPT = `
  DELETE FROM failed_cells f USING audit_exceptions e
  WHERE e.series_id = f.series_id AND e.check_name = f.check_name AND e.period = f.period
    AND (e.value IS NOT DISTINCT FROM f.value OR abs(f.value - e.value) <= abs(e.value) * e.tolerance)`;

/** An average of a crash, such as that of April 2020 in oil, lies between the closes of its days, which passed. */
const EXPLAINED = `
  DELETE FROM failed_cells f USING series a, series d
  WHERE f.check_name IN ('jump', 'unusual') AND a.id = f.series_id AND a.instrument ~ '-(weekly|monthly)-average$'
    AND d.instrument = regexp_replace(a.instrument, '-(weekly|monthly)-average$', '')
    AND NOT EXISTS (SELECT FROM failed_cells o WHERE o.series_id = d.id AND ${within('o')})
    AND EXISTS (
      SELECT FROM (
        SELECT period, value FROM staged_observations WHERE series_id = d.id
        UNION ALL
        SELECT period, value FROM observations WHERE series_id = d.id AND known_on($1::date, valid_from, valid_to)) c
      WHERE ${within('c')} HAVING min(c.value) <= f.value AND max(c.value) >= f.value)`;

const LIST = `
  WITH numbered AS (
    SELECT c.*, count(*) OVER finding AS count,
           row_number() OVER (PARTITION BY c.check_name, c.subject ORDER BY c.period DESC, c.series_id) AS number
    FROM failed_cells c WINDOW finding AS (PARTITION BY c.check_name, c.subject))
  SELECT n.check_name AS check, n.subject, nullif(concat_ws(' ', s.instrument, s.indicator, s.region), '') AS series,
         n.period, n.held_value::text AS held, n.value::text AS value, n.many, n.most, n.count, t.file, t.line
  FROM numbered n LEFT JOIN series s ON s.id = n.series_id
    LEFT JOIN staged_observations t ON t.series_id = n.series_id AND t.period = n.period
  WHERE n.number <= ${MOST_CELLS} ORDER BY array_position($1::text[], n.check_name), n.subject, n.number`;

/**
 * What a person should see before the figures concerned are published: reads `observation_differences`,
 * `declared_coverage` and `staged_observations`, and fills `failed_cells`. @param files names, by their number in
 * `staged_observations`
 */
export async function auditDelivery(
  client: pg.PoolClient,
  vintage: string,
  files: readonly string[],
  unmapped: readonly UnmappedCode[],
): Promise<Finding[]> {
  const catalogue = readCatalogue();
  const limits = auditedSubjects(catalogue).map((subject) => limitsOn(vintage, subject));
  const kinds = await fillAuditedTables(client, vintage, limits, identitiesOf(catalogue));
  await client.query(FAILED);
  const codes = unmapped.filter(({ kind }) => kind !== 'indicator').map(({ code }) => code);
  for (const check of CHECKS) {
    const { sql, reads } = CHECK_QUERIES[check];
    if (reads !== 'all' && !reads.some((kind) => kinds.includes(kind))) continue;
    await client.query(`WITH ${GIVEN}, ${sql} ${ADD}`, [vintage, codes, check]);
  }
  await client.query(EXPLAINED, [vintage]);
  await client.query(EXCEPT);
  const { rows } = await client.query<Row>(LIST, [CHECKS]);
  const keyOf = ({ check, subject }: Row): string => `${check} ${subject}`;
  return [...new Set(rows.map(keyOf))].map((key) =>
    findingOf(
      rows.filter((row) => keyOf(row) === key),
      files,
    ),
  );
}

function findingOf(rows: readonly Row[], files: readonly string[]): Finding {
  const [first] = rows;
  if (first === undefined) throw new Error('A finding has cells');
  const { check, subject, many, most, count } = first;
  const reason = CHECK_QUERIES[check].says(many, most);
  return { check, subject, reason, count, cells: rows.map((row) => cellOf(row, files)) };
}

function cellOf(
  { series, period, held, value, file, line }: Omit<Row, 'check'>,
  files: readonly string[],
): AuditedCell {
  return { series, period, held, value, file: file === null ? null : (files[file] ?? null), line };
}
/** Periods are compared as text: those of one frequency have one form. Fiscal years end in March. */
function limitsOn(vintage: string, { restatedByHalf, ...limits }: AuditedSubject) {
  const running = periodOn(shiftedDay(vintage, limits.daysAhead), limits.frequency);
  return {
    ...limits,
    restated_by_half: restatedByHalf,
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
