import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { CodeBook, readCatalogue } from './catalogue/catalogue.js';
import { syncCatalogue } from './catalogue/sync-catalogue.js';
import { deriveChanges } from './derive/derive-changes.js';
import { mergeChanges, type MergedChanges } from './derive/merge-changes.js';
import type { ImportReport } from './import-report.js';
import { ImportError, type Delivery, type Importer } from './importers/importer.js';
import { publishAlone, type Outcome } from './publishing-transaction.js';
import { enforceWithholding } from './revisions/enforce-withholding.js';
import { closeRevision, FAMILIES, recordRevision } from './revisions/record-revision.js';
import { recount, redateSources } from './revisions/recount.js';
import { deleteWithheldChanges, markWithheld } from './revisions/withhold-source.js';
import { assignStates, compareStates } from './store/assign-states.js';
import { judgeVintage } from './store/judge-vintage.js';
import { DeliveryStager } from './store/stage-delivery.js';
import { createStaging } from './store/staging.js';

export type ImportPhase = 'waiting' | 'reading' | 'comparing' | 'storing' | 'deriving' | 'committing';

export interface ImportOptions {
  /** Accept vintages older than the newest held; nothing is derived from them. */
  readonly backfill?: boolean;
  /** Accept a different content for a vintage that is held. */
  readonly replace?: boolean;
  readonly skipBadRows?: boolean;
  /** Do everything, and take it back. */
  readonly dryRun?: boolean;
  readonly now: () => Date;
  /** `done` and `total` are bytes of the delivery. */
  readonly onProgress?: (delivery: Delivery, phase: ImportPhase, done: number, total: number) => void;
  /** Called after each delivery; those reported stay published when a later one fails. */
  readonly onReport?: (report: ImportReport) => void;
}

/** From so many figures on the planner's statistics are refreshed at once; autovacuum sees to the rest. */
const ANALYZE_FROM = 10_000;

const NOTHING_DERIVED: MergedChanges = { releases: 0, revisions: 0, corrected: 0, withdrawn: 0 };

/** Publishes deliveries one after the other, each as one transaction and one revision. */
export async function importFiles(
  dataSource: DataSource,
  importer: Pick<Importer, 'publisher'>,
  deliveries: readonly Delivery[],
  options: ImportOptions,
): Promise<ImportReport[]> {
  const today = options.now().toISOString().slice(0, 10);
  for (const { name, vintage } of deliveries) {
    if (vintage > today) {
      throw new ImportError(
        `${name}: the vintage day ${vintage} lies in the future (today is ${today} in UTC)`,
      );
    }
  }
  const [first] = deliveries;
  if (first !== undefined && options.dryRun !== true) {
    const onWait = (): void => options.onProgress?.(first, 'waiting', 0, first.bytes);
    await enforceWithholding(dataSource, options.now(), onWait);
  }
  const reports: ImportReport[] = [];
  for (const delivery of deliveries) {
    const report = await importDelivery(dataSource, importer.publisher, delivery, options);
    reports.push(report);
    options.onReport?.(report);
  }
  return reports;
}

async function importDelivery(
  dataSource: DataSource,
  publisher: string,
  delivery: Delivery,
  options: ImportOptions,
): Promise<ImportReport> {
  const started = performance.now();
  let done = 0;
  const progress = (phase: ImportPhase): void => {
    options.onProgress?.(delivery, phase, done, delivery.bytes);
  };
  const onBytes = (count: number): void => {
    done += count;
    progress('reading');
  };
  const report = await publishAlone(
    dataSource,
    () => progress('waiting'),
    (client) => publishDelivery(client, publisher, delivery, options, progress, onBytes),
  );
  return { ...report, seconds: Math.round(performance.now() - started) / 1_000 };
}

async function publishDelivery(
  client: pg.PoolClient,
  publisher: string,
  delivery: Delivery,
  options: ImportOptions,
  progress: (phase: ImportPhase) => void,
  onBytes: (count: number) => void,
): Promise<Outcome<ImportReport>> {
  const { vintage, basis } = delivery;
  const catalogue = readCatalogue();
  const { changed: renamed, newlyWithheld } = await syncCatalogue(client, catalogue);
  await markWithheld(client, newlyWithheld);
  await createStaging(client);
  const codes = new CodeBook(catalogue, publisher);
  progress('reading');
  const staged = await DeliveryStager.stage(client, delivery, codes, {
    skipBadRows: options.skipBadRows === true,
    onBytes,
  });
  progress('comparing');
  await compareStates(client, vintage, staged.closes);
  const judgement = await judgeVintage(client, delivery, {
    backfill: options.backfill === true,
    replace: options.replace === true,
  });
  const counts = {
    rows: staged.rows,
    series: judgement.series,
    seriesCreated: staged.seriesCreated,
    changed: judgement.changed,
    closed: judgement.closed,
    ...NOTHING_DERIVED,
    leftOut: staged.bad.count,
  };
  const report: ImportReport = {
    delivery: delivery.name,
    vintage,
    outcome: 'unchanged',
    kind: judgement.kind,
    revision: null,
    publishedAt: null,
    counts,
    leftOut: staged.bad.listed,
    unnamed: staged.unnamed,
    seconds: 0,
  };
  if (judgement.kind === null) return { keep: false, result: report };

  progress('storing');
  const revision = await recordRevision(client, {
    kind: judgement.kind,
    description: `${publisher}: vintage of ${vintage}`,
    vintageDay: vintage,
    at: publicationTime(delivery, options.now()),
  });
  await assignStates(client, vintage, revision.id, basis);
  progress('deriving');
  const deleted = await deleteWithheldChanges(client);
  const merged = await deriveAndMerge(client, vintage, revision);
  const redated = await redateSources(client);
  const recounted = await recount(client);
  const all = { ...counts, ...merged };
  const { releases, revisions, corrected, withdrawn } = merged;
  const derived = deleted + releases + revisions + corrected + withdrawn;
  // Names and sources stand in every answer; changes and their counts in all families but one.
  const everywhere = renamed > 0 || redated || recounted || derived > 0;
  await closeRevision(client, revision.id, all, everywhere ? FAMILIES : ['macro']);
  if (judgement.changed >= ANALYZE_FROM) await client.query('SELECT analyze_content()');
  progress('committing');
  const dryRun = options.dryRun === true;
  return {
    keep: !dryRun,
    result: {
      ...report,
      outcome: dryRun ? 'rehearsed' : 'published',
      revision: dryRun ? null : revision.id,
      publishedAt: dryRun ? null : revision.publishedAt.toISOString(),
      counts: all,
    },
  };
}

function publicationTime({ recordedAt }: Delivery, now: Date): Date {
  return recordedAt !== undefined && recordedAt < now ? recordedAt : now;
}

/**
 * A new newest vintage is derived; after a replacement so is every later one of the series it has altered.
 * A baseline and a backfilled vintage never are.
 */
async function deriveAndMerge(
  client: pg.PoolClient,
  vintage: string,
  revision: { readonly id: number; readonly publishedAt: Date },
): Promise<MergedChanges> {
  const listed = await client.query(
    `INSERT INTO derivable_vintages (series_id, day)
     SELECT v.series_id, v.day
     FROM spoken e JOIN derivable_series s ON s.id = e.series_id
       JOIN series_vintages v ON v.series_id = s.id
     WHERE e.affected > 0 AND (e.held OR NOT e.newer)
       AND v.day >= $1 AND v.day > s.baseline_day AND NOT v.backfilled`,
    [vintage],
  );
  if ((listed.rowCount ?? 0) === 0) return NOTHING_DERIVED;
  await client.query('ANALYZE derivable_vintages');
  await deriveChanges(client);
  return mergeChanges(client, revision.id, revision.publishedAt);
}
