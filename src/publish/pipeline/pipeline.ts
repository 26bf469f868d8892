// The steps of a publication, in order. docs/explanation/publishing.md lists the temporary tables between them.
import type pg from 'pg';
import { holdSeries } from '../audit/held-deliveries.js';
import { noteExceptions } from '../audit/exceptions.js';
import { beginWaits, endWaits } from '../audit/quarantine.js';
import { leaveOut } from '../audit/leave-out.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import { CodeBook } from '../catalogue/code-book.js';
import { syncCatalogue } from '../catalogue/sync-catalogue.js';
import { BadRows } from '../publication/bad-rows.js';
import { UnmappedCodes } from '../publication/unmapped-codes.js';
import type { ImportOptions, ImportPhase } from '../publication/import-options.js';
import { waitText } from '../publication/finding.js';
import type { ImportReport } from '../publication/import-report.js';
import { ImportError, type Delivery, type Importer } from '../batches/importer.js';
import { refreshReadModels } from '../read-models/read-models.js';
import type { RefreshScope } from '../read-models/refresh-scope.js';
import { CHANGE_FAMILIES, EVERYTHING, type Versioned } from '../../domain/sources/families.js';
import { noteChangedFigures } from '../versions/changed-figures.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';
import { redateSources } from '../versions/redate-sources.js';
import { markWithheld } from '../versions/withhold-source.js';
import type { PublishContext } from '../publication/publish-context.js';
import type { Outcome } from '../publication/publishing-transaction.js';
import { compareContent, type Comparison } from './steps/compare-content.js';
import { evaluateDelivery, type Judgement } from './steps/evaluate-delivery.js';
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
  await leaveOut(client, options);

  progress('comparing');
  const allowed = {
    backfill: options.backfill === true,
    replace: options.replace === true,
    // What a publisher states to be of a day is a vintage of it, even if nothing differs.
    onlyDifferences: options.onlyDifferences === true && delivery.basis === 'retrieved',
  };
  const compared = await compareContent(context, content, allowed, publisher);
  requireContent(context, content, compared);
  const judged = await evaluateDelivery(context, content, compared, publisher, allowed, options);
  const { comparison } = judged;
  const report = reportOf(context, content, NOTHING_DERIVED, judged);
  const begins = judged.quarantine?.heldIn === null;
  // All that would change waits: what is served stays, with a notice.
  const isHeld = judged.isHeld || (begins && comparison.kind === null);
  if (judged.isHeld || (isHeld && options.dryRun === true))
    return { keep: false, result: { ...report, outcome: 'held' } };
  if (comparison.kind === null && !begins) return { keep: false, result: report };

  progress('storing');
  const publication = await recordPublication(client, {
    kind: comparison.kind ?? 'import',
    description: descriptionOf(publisher, delivery, judged, options),
    vintageDay: delivery.vintage,
    now: () => publicationTime(delivery, options.now()),
  });
  const waits = await noteWaits(context, publisher, judged, publication, options);
  const families = await storeContent(context, content, comparison, publication);
  const figures = await noteChangedFigures(client, publication.dataVersion);

  progress('deriving');
  const derived = await deriveChanges(context, publication);
  const redated = await redateSources(client);
  const { newSources, seriesCreated } = content.observations;
  const scope = scopeOf({ resourced: newSources + newlyWithheld.length, renamed, seriesCreated });
  const refreshed = await refreshReadModels(client, publication, scope);

  progress('committing');
  const { counts } = reportOf(context, content, derived, judged);
  const changes = Object.values<number>({ ...derived.counts }).reduce((sum, count) => sum + count, derived.deleted);
  if (comparison.observations.changed >= ANALYZE_FROM) await client.query('SELECT analyze_content()');
  if (options.dryRun !== true && !isHeld) await options.onPublication?.(client, publication, delivery);
  const publishedAt = await closePublication(client, publication, counts, [
    ...(renamed + newSources > 0 ? EVERYTHING : []),
    ...(changes > 0 || refreshed ? CHANGE_FAMILIES : []),
    ...families,
    ...figures,
    ...waits.moved,
    ...redated.map((id) => `sources/${id}` as const),
  ]);
  const { dataVersion } = publication;
  return options.dryRun === true
    ? { keep: false, result: { ...report, outcome: 'rehearsed', counts } }
    : {
        keep: true,
        result: {
          ...report,
          outcome: isHeld ? 'held' : 'published',
          dataVersion,
          publishedAt: publishedAt.toISOString(),
          counts,
          heldDelivery: waits.heldDelivery,
        },
      };
}

function scopeOf(moved: Readonly<Record<'resourced' | 'renamed' | 'seriesCreated', number>>): RefreshScope {
  if (moved.resourced > 0) return 'everything';
  if (moved.renamed > 0) return 'names';
  return moved.seriesCreated > 0 ? 'series' : 'affected';
}

/** Ends and begins waits, and keeps what was accepted. */
async function noteWaits(
  { client, delivery, codes }: PublishContext,
  publisher: string,
  { findings, quarantine }: Judgement,
  { dataVersion }: Publication,
  options: ImportOptions,
): Promise<{ readonly moved: readonly Versioned[]; readonly heldDelivery: number | null }> {
  if (options.accept !== undefined && findings.length > 0) {
    await noteExceptions(client, dataVersion, options.accept);
  }
  const moved = await endWaits(client, dataVersion, delivery.vintage, options.now());
  if (quarantine?.heldIn !== null || options.dryRun === true)
    return { moved, heldDelivery: quarantine?.heldIn ?? null };
  const held = { findings, codes, publishedWith: dataVersion };
  const heldDelivery = await holdSeries(client, publisher, delivery, quarantine, held, options);
  moved.push(...(await beginWaits(client, heldDelivery, delivery.vintage, dataVersion)));
  return { moved, heldDelivery };
}

/** @throws ImportError if nothing of the delivery was taken, with the codes that the catalogue lacks */
function requireContent(
  { delivery, unmapped }: { delivery: Delivery; unmapped: UnmappedCodes },
  { observations: { rows, notes } }: ReadContent,
  { kind, observations, counts }: Comparison,
): void {
  // A list without entries has something new if the list before had entries.
  if (kind !== null || rows + notes + observations.closed > 0) return;
  if (Object.values(counts).some((count) => count > 0)) return;
  const missing = unmapped.list().map(({ kind, code, file }) => `${kind} ${code}, to be added to ${file}`);
  throw new ImportError(
    missing.length === 0
      ? `${delivery.name}: there is nothing to import in it`
      : `${delivery.name}: nothing of it was imported, because the catalogue lacks ${missing.slice(0, 5).join('; ')}` +
          (missing.length > 5 ? `; and ${missing.length - 5} more` : ''),
  );
}

function reportOf(
  { delivery, bad, unmapped }: { delivery: Delivery; bad: BadRows; unmapped: UnmappedCodes },
  { observations: staged }: ReadContent,
  derived: DerivedContent,
  { findings, differences, quarantine, comparison: { kind, observations, counts } }: Judgement,
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
    findings,
    differences,
    quarantined: quarantine?.series ?? [],
    heldDelivery: quarantine?.heldIn ?? null,
    seconds: 0,
  };
}

function descriptionOf(
  publisher: string,
  { vintage }: Delivery,
  { findings, quarantine }: Judgement,
  { accept, without = [] }: ImportOptions,
): string {
  const checks = [...new Set(findings.map(({ check }) => check))].join(', ');
  const accepted = accept === undefined || checks === '' ? '' : `; accepted despite ${checks}: ${accept}`;
  const left = without.length === 0 ? '' : `; without ${without.join(', ')}`;
  const waits = quarantine === null ? '' : `; ${waitText(quarantine.series)}`;
  return `${publisher}: vintage of ${vintage}${left}${accepted}${waits}`;
}

function publicationTime({ recordedAt }: Delivery, now: Date): Date {
  return recordedAt !== undefined && recordedAt < now ? recordedAt : now;
}
