// Entities of a register that wait for a decision: `waiting_entities` has them by LEI, or as `CIK 320193`.
import type pg from 'pg';
import type { RelationRow } from '../batches/register-rows.js';
import type { Versioned } from '../../domain/sources/families.js';
import { noSuch } from '../../domain/errors/nearest.js';
import { ImportError } from '../batches/importer.js';
import { ENTITY_CHECKS, type QuarantinedSeries } from '../publication/finding.js';

/** Of what a delivery speaks: an entity, or the parents of one. */
const COVERED = `
  SELECT lei AS subject FROM staged_entities UNION SELECT child FROM staged_relations
  UNION SELECT lei FROM staged_extents WHERE side = 'parents' UNION SELECT 'CIK ' || cik FROM staged_registrants`;

async function isRegister(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT to_regclass('pg_temp.waiting_entities') IS NOT NULL AS is`,
  );
  return rows[0]?.is === true;
}

/** A list without other registrants does not unlist them. */
const LEAVE_OUT = `
  INSERT INTO waiting_entities (subject)
  SELECT subject FROM (
    ${COVERED} UNION SELECT 'CIK ' || cik FROM registrants WHERE EXISTS (SELECT FROM staged_registrants)) s
  WHERE subject = ANY ($1) OR subject <> ALL ($2)`;

/** Leaves entities as they are. @throws ImportError for one of which the delivery does not speak */
export async function leaveOutEntities(
  client: pg.PoolClient,
  without: readonly string[],
  only: readonly string[] | undefined,
): Promise<void> {
  const named = [...without, ...(only ?? [])];
  if (named.length === 0 && only === undefined) return;
  const known = (await isRegister(client)) ? await client.query<{ subject: string }>(COVERED) : { rows: [] };
  const subjects = new Set(known.rows.map(({ subject }) => subject));
  const unknown = named.filter((name) => !subjects.has(name));
  if (unknown.length > 0) throw new ImportError(unknown.map((name) => noSuch('entity', name)).join(' '));
  if (subjects.size > 0) await client.query(LEAVE_OUT, [without, only ?? null]);
}

/** A relation that a delivery ends by a list of children without it. */
export interface EndedRelation extends Omit<RelationRow, 'place'> {
  readonly source: string;
}

/** How many would begin to wait, of how many; and a hash of what is given for them, null if none waits. */
export interface Tally {
  readonly flagged: number;
  readonly changed: number;
  readonly digest: string | null;
}

interface PlannedEntities {
  readonly tally: Tally;
  readonly waiting: readonly QuarantinedSeries[];
  readonly endings: readonly EndedRelation[];
}

export const NO_ENTITIES: PlannedEntities = {
  tally: { flagged: 0, changed: 0, digest: null },
  waiting: [],
  endings: [],
};

const FLAGGED = `
  INSERT INTO waiting_entities (subject, checks)
  SELECT subject, array_agg(DISTINCT check_name ORDER BY check_name) FROM failed_entities GROUP BY 1`;

const TALLY = `
  SELECT (SELECT count(*) FROM waiting_entities w WHERE checks IS NOT NULL AND NOT EXISTS (
            SELECT FROM quarantined_series q WHERE q.entity = w.subject AND q.ended_by IS NULL)) AS flagged,
         (SELECT count(*) FROM (${COVERED}) s) AS changed,
         (SELECT md5(string_agg(given, ',' ORDER BY given)) FROM (
            SELECT concat_ws('|', t.lei, t.name, t.status, t.country, t.type) AS given
            FROM staged_entities_distinct t JOIN waiting_entities w ON w.subject = t.lei
            UNION ALL
            SELECT concat_ws('|', t.child, t.parent, t.kind, t.state)
            FROM staged_relations_distinct t JOIN waiting_entities w ON w.subject = t.child
            UNION ALL
            SELECT concat_ws('|', t.cik, t.name, t.tickers)
            FROM staged_registrants_distinct t JOIN waiting_entities w ON w.subject = 'CIK ' || t.cik) g) AS digest`;

const WAITING = `
  SELECT subject AS series, checks FROM waiting_entities WHERE checks IS NOT NULL ORDER BY 1`;

/** What the rows about the entity itself end, they end also when it is accepted. */
const ENDINGS = `
  SELECT a.child, a.parent, a.kind, a.since, a.until, a.source_id AS source, 'ended' AS state, 'record' AS from
  FROM relation_actions a JOIN waiting_entities w ON w.subject = a.child
  WHERE a.action = 'close' AND NOT a.older
    AND NOT EXISTS (
      SELECT FROM staged_extents_distinct x WHERE (x.lei, x.side, x.kind) = (a.child, 'parents', a.kind))
    AND NOT EXISTS (
      SELECT FROM staged_relations_distinct t WHERE (t.child, t.parent, t.kind) = (a.child, a.parent, a.kind))`;

/** The entities that a check of entities found: call after `auditRegister`. */
export async function planEntities(client: pg.PoolClient): Promise<PlannedEntities> {
  await client.query(FLAGGED);
  const [tally = NO_ENTITIES.tally] = (await client.query<Tally>(TALLY)).rows;
  const { rows: waiting } = await client.query<QuarantinedSeries>(WAITING);
  const { rows: endings } = await client.query<EndedRelation>(ENDINGS);
  return { tally, waiting, endings };
}

/** They wait already: nothing begins and nothing ends. */
export async function continueWaits(client: pg.PoolClient): Promise<void> {
  if (await isRegister(client)) await client.query('UPDATE waiting_entities SET checks = NULL');
}

/** What shows entities. */
export const ENTITY_FAMILIES = ['companies', 'structure'] as const satisfies readonly Versioned[];

/**
 * By a delivery of the same day or a later one that passes and speaks of what waits, a name or parents; a list of registrants
 * speaks of all of them.
 */
const END = `
  UPDATE quarantined_series q SET ended_by = $1 FROM held_deliveries d
  WHERE q.entity IS NOT NULL AND q.ended_by IS NULL AND d.id = q.delivery_id AND d.vintage_day <= $2
    AND CASE WHEN EXISTS (SELECT FROM waiting_entities w WHERE w.subject = q.entity)
      THEN EXISTS (SELECT FROM waiting_entities w WHERE w.subject = q.entity AND w.checks IS NOT NULL)
      ELSE q.entity LIKE 'CIK %' AND EXISTS (SELECT FROM staged_registrants_distinct)
        OR q.checks <@ ARRAY(
          SELECT 'exchanged' FROM staged_entities_distinct t WHERE t.lei = q.entity
          UNION SELECT 'circular' FROM staged_relations_distinct t WHERE t.child = q.entity
          UNION SELECT 'circular' FROM staged_extents_distinct t WHERE t.lei = q.entity AND t.side = 'parents') END`;

/** For `endWaits`. @returns what shows another notice, or none */
export async function endEntityWaits(
  client: pg.PoolClient,
  dataVersion: number,
  vintage: string,
): Promise<readonly Versioned[]> {
  if (!(await isRegister(client))) return [];
  const { rowCount } = await client.query(END, [dataVersion, vintage]);
  return rowCount === 0 ? [] : ENTITY_FAMILIES;
}

const BEGIN = `
  INSERT INTO quarantined_series (delivery_id, entity, since, checks, faults, stored_values, given_values)
  SELECT $1, w.subject,
         least($2::date, (SELECT min(p.since) FROM quarantined_series p WHERE p.entity = w.subject AND p.ended_by = $3)),
         w.checks, ARRAY(SELECT DISTINCT $4::jsonb ->> k FROM unnest(w.checks) AS k ORDER BY 1), '{}', '{}'
  FROM waiting_entities w WHERE w.checks IS NOT NULL`;

/** For `beginWaits`. @returns what shows the notice */
export async function beginEntityWaits(
  client: pg.PoolClient,
  delivery: number,
  vintage: string,
  dataVersion: number,
): Promise<readonly Versioned[]> {
  if (!(await isRegister(client))) return [];
  const { rowCount } = await client.query(BEGIN, [delivery, vintage, dataVersion, JSON.stringify(ENTITY_CHECKS)]);
  return rowCount === 0 ? [] : ENTITY_FAMILIES;
}
