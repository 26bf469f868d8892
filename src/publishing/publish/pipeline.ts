// The steps of a publication, in order. docs/explanation/publishing.md lists the temporary tables between them.
import type pg from 'pg';
import { CodeBook, readCatalogue } from '../catalogue/catalogue.js';
import { syncCatalogue } from '../catalogue/sync-catalogue.js';
import { BadRows } from '../content/bad-rows.js';
import { UnmappedCodes } from '../content/unmapped-codes.js';
import type { ImportOptions, ImportPhase } from '../import/import-options.js';
import type { ImportReport } from '../import/import-report.js';
import type { Delivery, Importer } from '../batches/importer.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { FAMILIES } from '../../sources/families.js';
import { closePublication, recordPublication } from '../versions/record-publication.js';
import { redateSources } from '../versions/redate-sources.js';
import { markWithheld } from '../versions/withhold-source.js';
import type { Outcome } from './publishing-transaction.js';
import { compareContent, type Comparison } from './steps/compare-content.js';
import { deriveChanges, type DerivedContent } from './steps/derive-changes.js';
import { readDelivery, type ReadContent } from './steps/read-delivery.js';
import { storeContent } from './steps/store-content.js';

/** From this many changed observations on, the planner gets new statistics at once; else autovacuum does it. */
const ANALYZE_FROM = 10_000;

const NOTHING_DERIVED: DerivedContent = {
  counts: { releases: 0, revisions: 0, moves: 0, decisions: 0, structures: 0, corrected: 0, withdrawn: 0 },
  deleted: 0,
};

/** Publishes one delivery inside its transaction. */
export async function publishDelivery(
  client: pg.PoolClient,
  { publisher, providers = [publisher] }: Pick<Importer, 'publisher' | 'providers'>,
  delivery: Delivery,
  options: ImportOptions,
  progress: (phase: ImportPhase) => void,
  onBytes: (count: number) => void,
): Promise<Outcome<ImportReport>> {
  const catalogue = readCatalogue();
  const codes = new CodeBook(catalogue, providers);
  const context = { client, delivery, codes, bad: new BadRows(), unmapped: new UnmappedCodes() };
  const { changed: renamed, newlyWithheld } = await syncCatalogue(client, catalogue);
  await markWithheld(client, newlyWithheld);

  progress('reading');
  const content = await readDelivery(context, { skipBadRows: options.skipBadRows === true, onBytes });

  progress('comparing');
  const allowed = { backfill: options.backfill === true, replace: options.replace === true };
  const comparison = await compareContent(context, content, allowed);
  const report = reportOf(context, content, comparison, NOTHING_DERIVED);
  if (comparison.kind === null) return { keep: false, result: report };

  progress('storing');
  const publication = await recordPublication(client, {
    kind: comparison.kind,
    description: `${publisher}: vintage of ${delivery.vintage}`,
    vintageDay: delivery.vintage,
    at: publicationTime(delivery, options.now()),
  });
  await storeContent(context, content, comparison, publication);

  progress('deriving');
  const derived = await deriveChanges(context, publication);
  const redated = await redateSources(client);
  const refreshed = await refreshReadModels(client, publication);

  progress('committing');
  const { counts } = reportOf(context, content, comparison, derived);
  const changes = Object.values<number>({ ...derived.counts }).reduce(
    (sum, count) => sum + count,
    derived.deleted,
  );
  // Every response names sources, and most contain derived content.
  const everywhere = renamed + content.observations.newSources + changes > 0 || redated || refreshed;
  await closePublication(
    client,
    publication.dataVersion,
    counts,
    everywhere ? FAMILIES : comparison.families,
  );
  if (comparison.observations.changed >= ANALYZE_FROM) await client.query('SELECT analyze_content()');
  const { dataVersion, publishedAt } = publication;
  return options.dryRun === true
    ? { keep: false, result: { ...report, outcome: 'rehearsed', counts } }
    : {
        keep: true,
        result: {
          ...report,
          outcome: 'published',
          dataVersion,
          publishedAt: publishedAt.toISOString(),
          counts,
        },
      };
}

function reportOf(
  { delivery, bad, unmapped }: { delivery: Delivery; bad: BadRows; unmapped: UnmappedCodes },
  { observations: staged }: ReadContent,
  { kind, observations, counts }: Comparison,
  derived: DerivedContent,
): ImportReport {
  return {
    delivery: delivery.name,
    vintage: delivery.vintage,
    outcome: 'unchanged',
    kind,
    dataVersion: null,
    publishedAt: null,
    counts: {
      rows: staged.rows,
      series: observations.series,
      seriesCreated: staged.seriesCreated,
      changed: observations.changed,
      closed: observations.closed,
      ...derived.counts,
      leftOut: bad.count,
      ...counts,
    },
    leftOut: bad.listed,
    unnamed: unmapped.list(),
    seconds: 0,
  };
}

function publicationTime({ recordedAt }: Delivery, now: Date): Date {
  return recordedAt !== undefined && recordedAt < now ? recordedAt : now;
}
