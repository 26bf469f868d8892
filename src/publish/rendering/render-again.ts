// Renders all stored texts again, after an upgrade or another catalogue. docs/explanation/publishing.md says how.
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { CHANGE_FAMILIES, EVERYTHING, type Versioned } from '../../domain/sources/families.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import { requireHeldEntries } from '../catalogue/held-entries.js';
import { syncCatalogue } from '../catalogue/sync-catalogue.js';
import { createObservationStaging } from '../content/observations/staging-tables.js';
import { COUNT_ALIKE } from '../derive/merge-changes.js';
import { DERIVERS } from '../derive/derivers.js';
import { deriveStructures } from '../derive/structures/derive-structures.js';
import { AFFECTED_COLUMNS } from '../publication/affected-changes.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { renderAllChanges } from '../read-models/changes/refresh-change-documents.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';
import { renderingFingerprint } from '../catalogue/fingerprint.js';

/** Before all vintages. */
const FIRST_DAY = '0001-01-01';

const STALE = `
  SELECT rendered_by IS DISTINCT FROM $1 AS stale FROM publications ORDER BY data_version DESC LIMIT 1`;

const NOTE = `
  UPDATE publications SET rendered_by = $1 WHERE data_version = (SELECT max(data_version) FROM publications)`;

/** What a delivery of everything that is stored would stage, so that the rules derive every change again. */
const STAGE_ALL = `
  INSERT INTO declared_coverage (series_id, first_period, last_period, held, affected)
  SELECT id, '', '', true, 1 FROM derivable_series;
  INSERT INTO observation_differences (series_id, period, in_order)
  SELECT id, '', true FROM derivable_series WHERE instrument IS NOT NULL`;

const REGISTERS = `
  SELECT day::text AS vintage, max(data_version) AS "dataVersion" FROM register_vintages GROUP BY day ORDER BY day`;

/** Alerts are evaluated on staged figures only, so without them none fires. */
const STAGE_NOTHING = 'TRUNCATE declared_coverage, observation_differences, recomputed_changes';

/**
 * Figures stay as they were published, so a rule that now reads other ones, or gathers more of them, keeps the old text. Withdrawn changes keep
 * their time, which their list shows.
 */
const STORE = `
  WITH stored AS (
    UPDATE changes c SET headline = d.headline, summary = d.summary, importance = d.importance, context = d.context,
      revision = d.revision,
      updated_at = CASE c.status WHEN 'withdrawn' THEN c.updated_at ELSE $1 END
    FROM derived_changes d
    WHERE d.id = c.id
      AND (c.headline, c.summary, c.importance, c.context, c.revision)
        IS DISTINCT FROM (d.headline, d.summary, d.importance, d.context, d.revision)
      AND (c.actual_value, c.previous_value, c.previous_period, c.rebasing) IS NOT DISTINCT FROM
          (d.actual_value, d.previous_value, d.previous_period, d.rebasing)
    RETURNING c.status)
  SELECT count(*) AS changes FROM stored`;

const ALL_AFFECTED = `
  INSERT INTO affected_changes SELECT ${AFFECTED_COLUMNS}, 'rendered' FROM changes c;
  ANALYZE affected_changes`;

const CONTENT = `md5(concat(to_jsonb(b) - 'data_version', ${['brief_sections', 'brief_items', 'brief_item_changes']
  .map((table) => `(SELECT jsonb_agg(to_jsonb(x) ORDER BY to_jsonb(x)) FROM ${table} x WHERE x.day = b.day)`)
  .join(', ')}))`;

const REMEMBER = `
  CREATE TEMP TABLE earlier_heat ON COMMIT DROP AS SELECT * FROM heat_days;
  CREATE TEMP TABLE earlier_briefs ON COMMIT DROP AS SELECT day, data_version, ${CONTENT} AS content FROM briefs b;
  ANALYZE earlier_heat; ANALYZE earlier_briefs`;

/** These read models write every row again. Rows that stay the same keep their data version, and so their ETag. */
const KEEP = [
  `UPDATE heat_days h SET data_version = e.data_version FROM earlier_heat e
   WHERE (h.region, h.coverage, h.day) = (e.region, e.coverage, e.day)
     AND to_jsonb(h) - 'data_version' = to_jsonb(e) - 'data_version'`,
  `UPDATE briefs b SET data_version = e.data_version FROM earlier_briefs e
   WHERE b.day = e.day AND e.content = ${CONTENT}`,
];

const MOVED = `
  SELECT (SELECT count(*) FROM signals WHERE data_version = $1) AS signals,
         (SELECT count(*) FROM heat_days WHERE data_version = $1) AS heat,
         (SELECT count(*) FROM briefs WHERE data_version = $1) AS briefs,
         (SELECT count(*) FROM search_documents WHERE since = $1) AS documents`;

const nothing = (): void => undefined;

interface Moved {
  readonly signals: number;
  readonly heat: number;
  readonly briefs: number;
  readonly documents: number;
}

/**
 * Renders all texts and computes importance again if other words or rules made the stored ones: a data version of its
 * own, or none where nothing differs. Ids, positions, figures and times of what happened stay; no alert fires.
 */
export async function renderAgain(
  dataSource: DataSource,
  now: () => Date,
  { fingerprint = renderingFingerprint(), onWait = nothing, onStart = nothing } = {},
): Promise<Publication | null> {
  const rows = await dataSource.query<{ stale: boolean }[]>(STALE, [fingerprint]);
  if (rows[0]?.stale !== true) return null;
  await requireHeldEntries(dataSource);
  return publishExclusively<Publication | null>(dataSource, onWait, async (client) => {
    // Another process may have done it while this one waited.
    const { rows: held } = await client.query<{ stale: boolean }>(STALE, [fingerprint]);
    if (held[0]?.stale !== true) return { keep: false, result: null };
    onStart();
    await client.query('SAVEPOINT before_rendering');
    const publication = await publishTexts(client, now, fingerprint);
    if (publication === null) {
      await client.query('ROLLBACK TO SAVEPOINT before_rendering');
      // Other code may show equal content otherwise, and after an upgrade nothing is rendered yet.
      await renderAllChanges(client);
      await client.query(NOTE, [fingerprint]);
    }
    return { keep: true, result: publication };
  });
}

/** `null`: nothing differs. */
async function publishTexts(client: pg.PoolClient, now: () => Date, fingerprint: string): Promise<Publication | null> {
  const { changed: names } = await syncCatalogue(client, readCatalogue());
  const publication = await recordPublication(client, {
    kind: 'rendering',
    description: 'Texts and importance rendered again',
    vintageDay: null,
    now,
  });
  await client.query(NOTE, [fingerprint]);
  await deriveAll(client);
  const stored = await client.query<{ changes: number }>(STORE, [publication.beganAt]);
  const changes = stored.rows[0]?.changes ?? 0;
  await client.query(REMEMBER);
  await client.query(STAGE_NOTHING);
  await client.query(ALL_AFFECTED);
  await client.query(COUNT_ALIKE);
  await refreshReadModels(client, publication, 'everything');
  for (const statement of KEEP) await client.query(statement);
  const { rows } = await client.query<Moved>(MOVED, [publication.dataVersion]);
  const [moved = { signals: 0, heat: 0, briefs: 0, documents: 0 }] = rows;
  const families = familiesOf(names, changes, moved);
  if (families.length === 0) return null;
  await closePublication(client, publication, { names, changes, ...moved }, families);
  return publication;
}

/** Fills `derived_changes` with every change that the rules find in what is stored. */
async function deriveAll(client: pg.PoolClient): Promise<void> {
  await createObservationStaging(client);
  await client.query(STAGE_ALL);
  await client.query('ANALYZE declared_coverage; ANALYZE observation_differences');
  const publication = { dataVersion: 0, beganAt: new Date(0) };
  for (const derive of DERIVERS) await derive({ client, vintage: FIRST_DAY, publication });
  // That rule reads one day of a register.
  const registers = await client.query<{ vintage: string; dataVersion: number }>(REGISTERS);
  for (const { vintage, dataVersion } of registers.rows) {
    await deriveStructures({ client, vintage, publication: { ...publication, dataVersion } });
  }
  await client.query('ANALYZE derived_changes (id)');
}

function familiesOf(names: number, changes: number, moved: Moved): readonly Versioned[] {
  if (names > 0) return EVERYTHING;
  if (changes + moved.signals + moved.heat > 0) return CHANGE_FAMILIES;
  return [...(moved.briefs > 0 ? ['briefs' as const] : []), ...(moved.documents > 0 ? ['search' as const] : [])];
}
