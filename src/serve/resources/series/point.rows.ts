import type { Read, Statement } from '../../../store/snapshots.js';
import { binding } from '../../../store/statement-text.js';
import { visibleSince } from '../removals.rows.js';

// How every resource reads series: indicators, instruments, and what is computed from both.

/** The value of a period, as it was known. */
export interface PointRow {
  readonly period: string;
  /** Decimal text, so that it keeps every digit. */
  readonly value: string;
  /** Day of the first vintage with the value. */
  readonly knownSince: string;
}

/** The first and the last period, as the source prints them. */
export type PeriodSpan = readonly [first: string, last: string];

/** A condition: an observation as known at the end of a day; null: as known now. */
export const asKnown = (alias: string, day: string | null): string =>
  day === null ? `${alias}.valid_to IS NULL` : `known_on(${day}, ${alias}.valid_from, ${alias}.valid_to)`;

/** Of a series, as a lateral subquery: its newest observations with a value, newest first. */
export const newestPoints = (series: string, day: string | null, most: number, within = ''): string => `(
    SELECT l.period, l.value, l.valid_from FROM observations l
    WHERE l.series_id = ${series} AND ${asKnown('l', day)}${within} ORDER BY l.period DESC LIMIT ${most})`;

/** The publications that changed series `s` since an instant, as a FROM clause with its condition. */
export const seriesChanges = (since: string): string => `
  series_versions v JOIN publications q USING (data_version) WHERE v.series_id = s.id AND ${visibleSince('q', since)}`;

/** Parameters of a statement as known at the end of a day; `known` is null for what is known now. */
export function bindingAsOf(asOf: string | undefined) {
  const { parameters, bind } = binding();
  return { parameters, bind, known: asOf === undefined ? null : `${bind(asOf)}::date` };
}

export interface PointsFilter {
  readonly series: number;
  readonly span: PeriodSpan;
  /** As known at the end of this day; without it, as known now. */
  readonly asOf?: string | undefined;
  /** Exclusive: the last period of the previous page. */
  readonly below?: string | undefined;
}

/** The newest points of one series, newest first. */
export function pointsStatement({ series, span, asOf, below }: PointsFilter, most: number): Statement {
  const { parameters, bind, known } = bindingAsOf(asOf);
  const [first, last] = span;
  const conditions = [
    `o.series_id = ${bind(series)}`,
    asKnown('o', known),
    `o.period BETWEEN ${bind(first)} AND ${bind(last)}`,
    ...(below === undefined ? [] : [`o.period < ${bind(below)}`]),
  ];
  const sql = `
    SELECT o.period, o.value, o.valid_from AS "knownSince" FROM observations o
    WHERE ${conditions.join(' AND ')} ORDER BY o.period DESC LIMIT ${bind(most)}`;
  return { sql, parameters };
}

/** A value that a period once had, and the day of the vintage that restated or withdrew it; null for a current one. */
export interface VintageRow extends PointRow {
  readonly knownUntil: string | null;
}

/** Every value that periods of one series had until the end of a day; oldest first. */
export const vintagesStatement = (series: number, periods: readonly string[], day: string): Statement => ({
  sql: `
    SELECT o.period, o.value, o.valid_from AS "knownSince", CASE WHEN o.valid_to <= $3 THEN o.valid_to END AS "knownUntil"
    FROM observations o WHERE o.series_id = $1 AND o.period = ANY ($2) AND o.valid_from <= $3
    ORDER BY o.period, o.valid_from`,
  parameters: [series, periods, day],
});

/** Which series, named `s`: parameters count from $1. */
export interface SeriesCondition {
  readonly where: string;
  readonly parameters: readonly unknown[];
}

export interface NextDecision {
  readonly series: number;
  readonly region: string;
  readonly period: string;
}

/** Of series of decisions, the first one after a day, whenever it became known: until then none was made. */
export function nextDecisions(
  read: Read,
  { where, parameters }: SeriesCondition,
  day: string,
): Promise<readonly NextDecision[]> {
  const sql = `
    SELECT s.id AS series, s.region, min(o.period) AS period
    FROM series s JOIN observations o ON o.series_id = s.id AND o.valid_to IS NULL AND o.period > $${String(parameters.length + 1)}
    WHERE ${where} GROUP BY s.id, s.region`;
  return read<NextDecision>(sql, [...parameters, day]);
}

/** The first stored vintage day of some series, if it is after a day. */
export async function firstVintageAfter(
  read: Read,
  { where, parameters }: SeriesCondition,
  asOf: string,
): Promise<string | null> {
  const sql = `SELECT min(v.day) AS day FROM series_vintages v JOIN series s ON s.id = v.series_id WHERE ${where}`;
  const [first] = await read<{ day: string | null }>(sql, parameters);
  return first?.day == null || first.day <= asOf ? null : first.day;
}
