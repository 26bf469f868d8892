// Which series and entities of a delivery wait for a decision, so that the others can be published; and when a wait ends.
import type pg from 'pg';
import type { Versioned } from '../../domain/sources/families.js';
import {
  CHECKS,
  ENTITY_CHECKS,
  FIGURE_CHECKS,
  type CheckName,
  type FigureCheck,
  type Finding,
  type QuarantinedSeries,
} from '../publication/finding.js';
import {
  beginEntityWaits,
  continueWaits,
  endEntityWaits,
  ENTITY_FAMILIES,
  NO_ENTITIES,
  planEntities,
  type EndedRelation,
  type Tally,
} from './waiting-entities.js';

/** A delivery that fails one of them is wrong as a whole: cut, of another day, against another currency. */
const OF_WHOLE: ReadonlySet<string> = new Set<FigureCheck>(['gaps', 'partial', 'cut', 'other_base']);

/** Fewer series wait one by one, whatever share of the delivery they are. */
const LEAST_OF_WHOLE = 3;

/** Series that wait, with the periods that the delivery covers, and the newest figures to the last one that failed. */
const TABLE = `
  CREATE TEMP TABLE IF NOT EXISTS waiting_series (
    series_id integer PRIMARY KEY, checks text[] NOT NULL, first_period text COLLATE "C", last_period text COLLATE "C",
    stored numeric[], given numeric[]) ON COMMIT DROP`;

const FLAGGED = `
  INSERT INTO waiting_series (series_id, checks)
  SELECT series_id, array_agg(DISTINCT check_name ORDER BY check_name) FROM failed_cells WHERE series_id IS NOT NULL GROUP BY 1`;

/**
 * What is wrong with a fifth of an indicator's series, of a publisher's prices, or with most of a country's series, is
 * wrong with all of those that the delivery changes. A history without a stored figure is judged alone, and a series that
 * is missing says nothing about those that are there.
 */
const SPREAD = `
  WITH changed AS (
    SELECT DISTINCT d.series_id, k.kin, k.share
    FROM observation_differences d JOIN series s ON s.id = d.series_id
      JOIN LATERAL (VALUES (coalesce(s.indicator, s.source_id), 0.2), (s.region, 0.8)) k (kin, share) ON k.kin IS NOT NULL
    WHERE EXISTS (SELECT FROM observations o WHERE o.series_id = d.series_id)),
  infected AS (
    SELECT kin FROM changed LEFT JOIN waiting_series q USING (series_id)
    GROUP BY kin, share HAVING count(*) FILTER (WHERE NOT q.checks <@ $1) >= greatest(${LEAST_OF_WHOLE}, count(*) * share)),
  checks AS (
    SELECT c.kin, array_agg(DISTINCT k ORDER BY k) AS names
    FROM changed c JOIN infected USING (kin) JOIN waiting_series q USING (series_id), unnest(q.checks) AS k GROUP BY c.kin)
  INSERT INTO waiting_series (series_id, checks)
  SELECT c.series_id, k.names FROM changed c JOIN checks k USING (kin) ON CONFLICT DO NOTHING`;

/** Twelve figures are enough for a picture. Thousands of series may wait, so all of them are read at once. */
const SPANS = `
  WITH pairs AS (
    SELECT series_id, period, o.value AS stored, t.value AS given
    FROM (SELECT series_id, period, value FROM observations JOIN waiting_series USING (series_id)
          WHERE known_on($1::date, valid_from, valid_to)) o
      FULL JOIN (SELECT series_id, period, value FROM staged_observations JOIN waiting_series USING (series_id)) t
        USING (series_id, period)),
  newest AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.series_id ORDER BY period DESC) AS rank FROM pairs p
      LEFT JOIN (SELECT series_id, max(period) AS last FROM failed_cells GROUP BY 1) f ON f.series_id = p.series_id
    WHERE period <= coalesce(f.last, period)),
  pictures AS (
    SELECT series_id, array_agg(stored ORDER BY period) AS stored, array_agg(given ORDER BY period) AS given
    FROM newest WHERE rank <= 12 GROUP BY 1)
  UPDATE waiting_series q SET first_period = e.first_period, last_period = e.last_period, stored = coalesce(p.stored, '{}'), given = coalesce(p.given, '{}')
  FROM declared_coverage e LEFT JOIN pictures p ON p.series_id = e.series_id
  WHERE e.series_id = q.series_id`;

const TALLY = `
  SELECT (SELECT count(*) FROM waiting_series n WHERE NOT EXISTS (
            SELECT FROM quarantined_series q WHERE q.series_id = n.series_id AND q.ended_by IS NULL)) AS flagged,
         (SELECT count(DISTINCT series_id) FROM observation_differences) AS changed,
         (SELECT md5(string_agg(concat_ws('|', t.series_id, t.period, t.value), ',' ORDER BY t.series_id, t.period))
          FROM staged_observations t JOIN waiting_series USING (series_id)) AS digest`;

const LIST = `
  SELECT concat_ws(' ', s.instrument, s.indicator, s.region) AS series, q.checks
  FROM waiting_series q JOIN series s ON s.id = q.series_id ORDER BY 1`;

/** What was dropped is not asked again either. */
const FIND_SAME = `
  SELECT id FROM held_deliveries
  WHERE publisher = $1 AND digest = $2 AND state IN ('held', 'dropped') AND published_with IS NOT NULL`;

export interface Quarantine {
  /** Series, or entities of a register. */
  readonly series: readonly QuarantinedSeries[];
  /** Relations of entities that wait, which the delivery ends without naming them. */
  readonly endings: readonly EndedRelation[];
  /** Of what waits. */
  readonly digest: string;
  /** The held delivery with the same figures, which wait in it already, or were dropped. */
  readonly heldIn: number | null;
}

/**
 * The series that wait, with all that the delivery gives for them; null if the delivery is wrong as a whole: by the kind
 * of the fault, or because three series or more, and more than half of those that it changes, would begin to wait.
 */
export async function planQuarantine(
  client: pg.PoolClient,
  publisher: string,
  { vintage, listed }: { readonly vintage: string; readonly listed?: boolean },
  findings: readonly Finding[],
): Promise<Quarantine | null> {
  const isOfOne = (check: CheckName): boolean =>
    check in ENTITY_CHECKS || (check in FIGURE_CHECKS && !OF_WHOLE.has(check));
  if (listed === true || findings.some(({ check }) => !isOfOne(check))) return null;
  for (const sql of [TABLE, FLAGGED]) await client.query(sql);
  await client.query(SPREAD, [CHECKS.filter((check) => FIGURE_CHECKS[check] === 'missing')]);
  await client.query(SPANS, [vintage]);
  const [tally = NO_ENTITIES.tally] = (await client.query<Tally>(TALLY)).rows;
  const entities = findings.some(({ check }) => check in ENTITY_CHECKS) ? await planEntities(client) : NO_ENTITIES;
  const digest = `${tally.digest ?? ''}${entities.tally.digest ?? ''}`;
  const [same] = (await client.query<{ id: number }>(FIND_SAME, [publisher, digest])).rows;
  if (same === undefined && (isMost(tally) || isMost(entities.tally))) return null;
  const { rows } = await client.query<QuarantinedSeries>(LIST);
  return { series: [...rows, ...entities.waiting], endings: entities.endings, digest, heldIn: same?.id ?? null };
}

const isMost = ({ flagged, changed }: Tally): boolean => flagged >= LEAST_OF_WHOLE && flagged * 2 > changed;

/**
 * Takes the figures that wait out of what is staged, as if the delivery did not speak of their series; a register takes out its
 * entities when it is compared again.
 */
export async function takeOut(client: pg.PoolClient, { heldIn }: Quarantine): Promise<void> {
  for (const table of ['staged_observations', 'declared_coverage', 'observation_differences']) {
    await client.query(`DELETE FROM ${table} t USING waiting_series q WHERE q.series_id = t.series_id`);
  }
  // The wait that has begun goes on.
  if (heldIn === null) return;
  await client.query('TRUNCATE waiting_series');
  await continueWaits(client);
}

/** By a delivery of the same day or a later one that speaks of all periods that wait. */
const END = `
  WITH covered AS (
    SELECT series_id, first_period, last_period FROM declared_coverage
    UNION ALL SELECT series_id, first_period, last_period FROM waiting_series),
  ended AS (
    UPDATE quarantined_series q SET ended_by = $1 FROM covered e, held_deliveries d
    WHERE e.series_id = q.series_id AND q.ended_by IS NULL AND d.id = q.delivery_id AND d.vintage_day <= $2
      AND e.first_period <= q.first_period AND e.last_period >= q.last_period
    RETURNING q.series_id)
  SELECT DISTINCT s.indicator, s.instrument FROM ended e JOIN series s ON s.id = e.series_id WHERE NOT s.withheld`;

const SUPERSEDE = `
  UPDATE held_deliveries d SET state = 'superseded', decided_at = $1, decided_by = 'a later delivery'
  WHERE state = 'held' AND published_with IS NOT NULL
    AND NOT EXISTS (SELECT FROM quarantined_series q WHERE q.delivery_id = d.id AND q.ended_by IS NULL)`;

const BEGIN = `
  INSERT INTO quarantined_series (
    delivery_id, series_id, since, checks, faults, first_period, last_period, stored_values, given_values)
  SELECT $1, q.series_id,
         least($2::date, (SELECT min(p.since) FROM quarantined_series p WHERE p.series_id = q.series_id AND p.ended_by = $3)),
         q.checks, ARRAY(SELECT DISTINCT $4::jsonb ->> k FROM unnest(q.checks) AS k ORDER BY 1), q.first_period, q.last_period,
         q.stored, q.given
  FROM waiting_series q`;

const SUBJECTS = `
  SELECT DISTINCT s.indicator, s.instrument FROM waiting_series q JOIN series s ON s.id = q.series_id WHERE NOT s.withheld`;

/** Ends the waits of which the publication speaks. @returns what shows another notice, or none */
export async function endWaits(
  client: pg.PoolClient,
  dataVersion: number,
  vintage: string,
  now: Date,
): Promise<Versioned[]> {
  await client.query(TABLE);
  const { rows } = await client.query<QuarantinedSubject>(END, [dataVersion, vintage]);
  const entities = await endEntityWaits(client, dataVersion, vintage);
  await client.query(SUPERSEDE, [now]);
  return [...rows.flatMap(versionedOf), ...entities];
}

/** Without either it is an entity. */
export interface QuarantinedSubject {
  readonly indicator: string | null;
  readonly instrument: string | null;
}

/** What shows the notice. */
export function versionedOf({ indicator, instrument }: QuarantinedSubject): Versioned[] {
  if (indicator !== null) return ['macro', `macro/${indicator}`];
  return instrument === null ? [...ENTITY_FAMILIES] : ['markets', `markets/${instrument}`];
}

/** Call after `endWaits`. @returns what shows the notice */
export async function beginWaits(
  client: pg.PoolClient,
  delivery: number,
  vintage: string,
  dataVersion: number,
): Promise<Versioned[]> {
  await client.query(BEGIN, [delivery, vintage, dataVersion, JSON.stringify(FIGURE_CHECKS)]);
  const { rows } = await client.query<QuarantinedSubject>(SUBJECTS);
  return [...rows.flatMap(versionedOf), ...(await beginEntityWaits(client, delivery, vintage, dataVersion))];
}

/** What the retracted version began is gone, and what it ended waits again, unless it was decided. */
const RETRACT = `
  WITH forgotten AS (DELETE FROM audit_exceptions WHERE data_version = $1),
  gone AS (DELETE FROM held_deliveries WHERE published_with = $1),
  again AS (
    UPDATE quarantined_series q SET ended_by = NULL FROM held_deliveries d
    WHERE q.ended_by = $1 AND d.id = q.delivery_id AND d.state IN ('held', 'superseded') RETURNING d.id)
  UPDATE held_deliveries d SET state = 'held', decided_at = NULL, decided_by = NULL
  WHERE state = 'superseded' AND id IN (SELECT id FROM again)`;

/** @returns what shows another notice, or none */
export async function retractWaits(client: pg.PoolClient, dataVersion: number): Promise<Versioned[]> {
  const { rows } = await client.query<QuarantinedSubject>(
    `SELECT DISTINCT s.indicator, s.instrument FROM quarantined_series q
       JOIN held_deliveries d ON d.id = q.delivery_id LEFT JOIN series s ON s.id = q.series_id
     WHERE s.withheld IS NOT TRUE AND $1 IN (q.ended_by, d.published_with)`,
    [dataVersion],
  );
  await client.query(RETRACT, [dataVersion]);
  return rows.flatMap(versionedOf);
}
