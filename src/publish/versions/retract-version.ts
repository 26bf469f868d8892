// Takes an import back: each figure that it changed is again what it was on the day before, up to the next vintage
// that covers it.
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { CHANGE_FAMILIES } from '../../domain/sources/families.js';
import { noSuch } from '../../domain/errors/nearest.js';
import { ImportError } from '../batches/importer.js';
import { retractWaits } from '../audit/quarantine.js';
import { revertDay } from '../content/register/revert-day.js';
import { createObservationStaging } from '../content/observations/staging-tables.js';
import { storeRanges } from '../content/observations/validity-ranges.js';
import { deriveDecisions } from '../derive/decisions/derive-decisions.js';
import { deriveStructuresOf } from '../derive/structures/derive-structures.js';
import { deriveMoves } from '../derive/moves/derive-moves.js';
import { deriveReleases } from '../derive/derive-releases.js';
import { mergeChanges, type MergedChanges } from '../derive/merge-changes.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { noteChangedFigures } from './changed-figures.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';
import { redateSources } from './redate-sources.js';

export interface Retraction {
  readonly publication: Publication;
  /** Figures that are as they were. */
  readonly figures: number;
  readonly series: number;
  readonly changes: MergedChanges;
}

interface Retractable {
  readonly kind: string;
  readonly vintage: string | null;
  readonly description: string;
  readonly series: number;
  readonly events: number;
  /** Held deliveries of which series wait since then. */
  readonly held: number;
  readonly sources: readonly string[];
  readonly registrants: boolean;
  /** Another version with statements of the same register and day. */
  readonly beside: number | null;
  /** A later version that replaced figures of the same vintage. */
  readonly replacedBy: number | null;
}

const FIND = `
  SELECT p.kind, p.vintage_day AS vintage, p.description,
         (SELECT count(*) FROM series_vintages v WHERE v.data_version = $1) AS series,
         (SELECT count(*) FROM calendar_events e WHERE e.data_version = $1) AS events,
         (SELECT count(*) FROM held_deliveries h WHERE h.published_with = $1) AS held,
         ARRAY(SELECT v.source_id FROM register_vintages v
               WHERE v.day = p.vintage_day AND v.source_id IN (
                 SELECT source_id FROM register_vintages WHERE data_version = $1
                 UNION SELECT source_id FROM relation_vintages WHERE data_version = $1)) AS sources,
         EXISTS (SELECT FROM register_vintages v JOIN registrants r USING (source_id)
                 WHERE v.data_version = $1) AS registrants,
         (SELECT max(o.data_version) FROM publications o
          WHERE o.data_version <> $1 AND o.vintage_day = p.vintage_day AND o.kind IN ('import', 'backfill', 'replace')
            AND split_part(o.description, ':', 1) = split_part(p.description, ':', 1)
            AND NOT EXISTS (SELECT FROM publications r WHERE r.kind = 'retraction'
              AND starts_with(r.description, 'Data version ' || o.data_version || ' retracted:'))) AS beside,
         (SELECT min(r.data_version) FROM publications r
          WHERE r.kind = 'replace' AND r.data_version > $1 AND r.vintage_day = p.vintage_day
            AND split_part(r.description, ':', 1) = split_part(p.description, ':', 1)) AS "replacedBy"
  FROM publications p WHERE p.data_version = $1`;

const COVERAGE = `
  INSERT INTO declared_coverage (series_id, first_period, last_period, held, newer)
  SELECT v.series_id, v.first_period, v.last_period, true,
         EXISTS (SELECT FROM series_vintages n WHERE n.series_id = v.series_id AND n.day > v.day)
  FROM series_vintages v WHERE v.data_version = $1 AND v.day = $2::date`;

const DIFFERENCES = `
  INSERT INTO observation_differences (series_id, period, value, held_value, in_order)
  SELECT c.series_id, c.period, b.value, a.value, false
  FROM (
    SELECT DISTINCT o.series_id, o.period FROM declared_coverage e JOIN observations o USING (series_id)
    WHERE o.valid_from = $1::date OR o.valid_to = $1::date) c
    LEFT JOIN observations b ON b.series_id = c.series_id AND b.period = c.period
      AND known_on($1::date - 1, b.valid_from, b.valid_to)
    LEFT JOIN observations a ON a.series_id = c.series_id AND a.period = c.period
      AND known_on($1::date, a.valid_from, a.valid_to)
  WHERE b.value IS DISTINCT FROM a.value`;

/** A later vintage that repeated the figures brings them now, or no longer differs. */
const LATER_VINTAGES = `
  UPDATE series_vintages v SET changed = EXISTS (
    SELECT FROM observations o WHERE o.series_id = v.series_id AND v.day IN (o.valid_from, o.valid_to))
  FROM declared_coverage e WHERE e.series_id = v.series_id AND v.day > $1::date`;

/** Every series of the version is evaluated again, also one whose figures are all back already. */
const COUNT_AFFECTED = `
  UPDATE declared_coverage e SET affected = greatest(1, (
    SELECT count(*) FROM observation_differences d WHERE d.series_id = e.series_id))`;

/** The vintage of a series' first figures is its baseline, from which nothing is derived. */
const BASELINES = `
  UPDATE series s SET baseline_day = o.day
  FROM (
    SELECT e.series_id, min(o.valid_from) AS day FROM declared_coverage e JOIN observations o USING (series_id)
    GROUP BY e.series_id) o
  WHERE o.series_id = s.id AND s.baseline_day = $1::date AND o.day <> $1::date`;

/** Changes of the vintage, of a later one that is the baseline now, and moves of figures that are different now. */
const RECOMPUTED = `
  INSERT INTO recomputed_changes (id)
  SELECT c.id FROM declared_coverage e JOIN series s ON s.id = e.series_id JOIN changes c ON c.series_id = s.id
  WHERE c.kind IN ('release', 'revision', 'decision') AND c.vintage_day IN ($1::date, s.baseline_day)
  UNION
  SELECT c.id FROM observation_differences d JOIN changes c ON c.series_id = d.series_id AND c.period = d.period
  WHERE c.kind = 'move'`;

/** Series that only this version knew, unless a change of theirs stays on record as withdrawn. */
const DELETE_EMPTY = `
  DELETE FROM series s USING declared_coverage e
  WHERE e.series_id = s.id AND NOT EXISTS (SELECT FROM observations o WHERE o.series_id = s.id)
    AND NOT EXISTS (SELECT FROM series_vintages v WHERE v.series_id = s.id AND v.day >= $1::date)
    AND NOT EXISTS (SELECT FROM changes c WHERE c.series_id = s.id)`;

/** Events go back to the schedule before; those that only this version knew are gone. */
const EVENTS = [
  `DELETE FROM calendar_events e WHERE e.data_version = $1
     AND NOT EXISTS (SELECT FROM calendar_event_history h WHERE h.event_id = e.id AND h.data_version = $1)
     AND e.vintage_day = (SELECT vintage_day FROM publications WHERE data_version = $1)`,
  `UPDATE calendar_events e SET scheduled_on = h.scheduled_on, time_zone = h.time_zone, scheduled_at = h.scheduled_at,
     status = h.status, vintage_day = h.vintage_day
   FROM calendar_event_history h WHERE h.event_id = e.id AND h.data_version = $1 AND e.data_version = $1`,
  'DELETE FROM calendar_event_history WHERE data_version = $1',
];

/** A later vintage that repeated what this one stated first brings it now. */
const RETRACT_REGISTER = `
  WITH retracted AS (
    DELETE FROM register_vintages WHERE day = $1 AND source_id = ANY ($2) RETURNING source_id, changed)
  UPDATE register_vintages v SET changed = true FROM retracted r
  WHERE r.changed AND v.source_id = r.source_id
    AND v.day = (SELECT min(n.day) FROM register_vintages n WHERE n.source_id = r.source_id AND n.day > $1)`;

/** @returns the days on which relations of the register began or ended, from the vintage on, before or after this */
async function retractRegister(
  client: pg.PoolClient,
  vintage: string,
  sources: readonly string[],
  dataVersion: number,
): Promise<readonly string[]> {
  if (sources.length === 0) return [];
  await revertDay(client, vintage, sources, dataVersion);
  await client.query(RETRACT_REGISTER, [vintage, sources]);
  const { rows } = await client.query<{ day: string }>(
    `SELECT $1::date::text AS day UNION
     SELECT day::text FROM register_vintages WHERE day > $1 AND source_id = ANY ($2) ORDER BY day`,
    [vintage, sources],
  );
  return rows.map(({ day }) => day);
}

/** @throws ImportError if the version is no import that can be taken back */
export async function retractVersion(
  dataSource: DataSource,
  dataVersion: number,
  reason: string,
  now: () => Date,
  onWait: () => void = () => undefined,
): Promise<Retraction> {
  return publishExclusively(dataSource, onWait, async (client) => {
    const { vintage, sources } = await retractable(client, dataVersion);
    const publication = await recordPublication(client, {
      kind: 'retraction',
      description: `Data version ${dataVersion} retracted: ${reason}`,
      vintageDay: vintage,
      now,
    });
    await createObservationStaging(client);
    const { rowCount: series } = await client.query(COVERAGE, [dataVersion, vintage]);
    const { rowCount: figures } = await client.query(DIFFERENCES, [vintage]);
    await client.query(COUNT_AFFECTED);
    await storeRanges(client, vintage, publication.dataVersion);
    const moved = await noteChangedFigures(client, publication.dataVersion);
    moved.push(...(await retractWaits(client, dataVersion)));
    await client.query('DELETE FROM series_vintages WHERE data_version = $1 AND day = $2', [dataVersion, vintage]);
    await client.query('DELETE FROM declared_vintages WHERE data_version = $1', [dataVersion]);
    await client.query(LATER_VINTAGES, [vintage]);
    for (const sql of EVENTS) await client.query(sql, [dataVersion]);
    const registerDays = await retractRegister(client, vintage, sources, publication.dataVersion);
    await client.query(BASELINES, [vintage]);
    await client.query(RECOMPUTED, [vintage]);
    for (const derive of [deriveReleases, deriveMoves, deriveDecisions]) {
      await derive({ client, vintage, publication });
    }
    for (const day of registerDays) await deriveStructuresOf(client, day);
    const changes = await mergeChanges(client, publication);
    const redated = await redateSources(client);
    await client.query(DELETE_EMPTY, [vintage]);
    await refreshReadModels(client, publication, 'series');
    const counts = { series: series ?? 0, changed: figures ?? 0, ...changes };
    await closePublication(client, publication, counts, [
      ...CHANGE_FAMILIES,
      ...moved,
      ...redated.map((id) => `sources/${id}` as const),
    ]);
    return { keep: true, result: { publication, figures: figures ?? 0, series: series ?? 0, changes } };
  });
}

async function retractable(
  client: pg.PoolClient,
  dataVersion: number,
): Promise<Pick<Retractable, 'sources'> & { readonly vintage: string }> {
  const [found] = (await client.query<Retractable>(FIND, [dataVersion])).rows;
  if (found === undefined) throw new ImportError(noSuch('data version', dataVersion));
  const { kind, vintage, description, series, events, held, sources, registrants, beside, replacedBy } = found;
  if (vintage === null || (kind !== 'import' && kind !== 'backfill')) {
    throw new ImportError(
      kind === 'replace'
        ? `Data version ${dataVersion} replaced figures of its vintage: import the right file with --replace`
        : `Data version ${dataVersion} is no import: ${description}`,
    );
  }
  if (registrants) {
    throw new ImportError(
      `Data version ${dataVersion} is a list of registrants, which overwrote the names, tickers and links of the list before: ` +
        'nothing of that one is kept to go back to. Import the right list of its day with --replace',
    );
  }
  if (sources.length > 0 && beside !== null) {
    throw new ImportError(
      `Data version ${beside} has legal entities of the same day as data version ${dataVersion}, and statements are kept by ` +
        'day: import the right file with --replace',
    );
  }
  if (replacedBy !== null) {
    throw new ImportError(
      `Data version ${replacedBy} replaced figures of data version ${dataVersion}: import the right file with --replace`,
    );
  }
  if (series + events + held + sources.length === 0)
    throw new ImportError(`Nothing is left of data version ${dataVersion}`);
  return { vintage, sources };
}
