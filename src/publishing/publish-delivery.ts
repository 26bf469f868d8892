import type pg from 'pg';
import { CodeBook, readCatalogue } from './catalogue/catalogue.js';
import { syncCatalogue } from './catalogue/sync-catalogue.js';
import { DERIVERS } from './derive/derivers.js';
import { mergeChanges } from './derive/merge-changes.js';
import { digest } from './digests/digests.js';
import type { ImportOptions, ImportPhase } from './import-options.js';
import type { ImportCounts, ImportReport } from './import-report.js';
import type { Delivery, Importer } from './importers/importer.js';
import type { Outcome } from './publishing-transaction.js';
import {
  closeRevision,
  FAMILIES,
  recordRevision,
  type RecordedRevision,
} from './revisions/record-revision.js';
import { redateSources } from './revisions/redate-sources.js';
import { deleteWithheldChanges, markWithheld } from './revisions/withhold-source.js';
import { assignStates, compareStates } from './store/assign-states.js';
import { BadRows } from './store/bad-rows.js';
import { judgeVintage } from './store/judge-vintage.js';
import { gravest, type Ledger, type LedgerJudgement } from './store/ledger.js';
import { LEDGERS } from './store/ledgers.js';
import { DeliveryStager } from './store/stage-delivery.js';
import { createStaging } from './store/staging.js';
import { UnnamedCodes } from './store/unnamed-codes.js';

/** From so many figures on the planner's statistics are refreshed at once; autovacuum sees to the rest. */
const ANALYZE_FROM = 10_000;

const NOTHING_DERIVED = {
  releases: 0,
  revisions: 0,
  moves: 0,
  decisions: 0,
  structures: 0,
  corrected: 0,
  withdrawn: 0,
};

/** One delivery inside its transaction: taken in, compared, stored, and all that follows from it derived. */
export async function publishDelivery(
  client: pg.PoolClient,
  { publisher, providers = [publisher] }: Pick<Importer, 'publisher' | 'providers'>,
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
  progress('reading');
  const codes = new CodeBook(catalogue, providers);
  const bad = new BadRows();
  const unnamed = new UnnamedCodes();
  const publication = { client, delivery, codes, bad, unnamed };
  const ledgers: Ledger[] = [];
  for (const open of LEDGERS) ledgers.push(await open(publication));
  const staged = await DeliveryStager.stage(publication, ledgers, {
    skipBadRows: options.skipBadRows === true,
    onBytes,
  });
  progress('comparing');
  await compareStates(client, vintage, staged.closes);
  const allowed = { backfill: options.backfill === true, replace: options.replace === true };
  const figures = await judgeVintage(client, delivery, allowed);
  const others: LedgerJudgement[] = [];
  for (const ledger of ledgers) others.push(await ledger.compare(allowed));
  const byNote = staged.noted > 0 ? 'import' : null;
  const kind = gravest([figures.kind, byNote, ...others.map((judgement) => judgement.kind)]);
  const counts: ImportCounts = {
    rows: staged.rows,
    series: figures.series,
    seriesCreated: staged.seriesCreated,
    changed: figures.changed,
    closed: figures.closed,
    ...NOTHING_DERIVED,
    leftOut: bad.count,
    ...Object.fromEntries(others.flatMap((judgement) => Object.entries(judgement.counts))),
  };
  const report: ImportReport = {
    delivery: delivery.name,
    vintage,
    outcome: 'unchanged',
    kind,
    revision: null,
    publishedAt: null,
    counts,
    leftOut: bad.listed,
    unnamed: unnamed.list(),
    seconds: 0,
  };
  if (kind === null) return { keep: false, result: report };

  progress('storing');
  const revision = await recordRevision(client, {
    kind,
    description: `${publisher}: vintage of ${vintage}`,
    vintageDay: vintage,
    at: publicationTime(delivery, options.now()),
  });
  if (figures.kind !== null) await assignStates(client, vintage, revision.id, basis);
  for (const ledger of ledgers) await ledger.store(revision);
  progress('deriving');
  const deleted = await deleteWithheldChanges(client);
  const merged = await deriveAll(client, vintage, revision);
  const redated = await redateSources(client);
  const digested = await digest(client, revision);
  const all: ImportCounts = { ...counts, ...merged };
  const derived = Object.values<number>({ ...merged }).reduce((sum, count) => sum + count, deleted);
  // Names and sources stand in every answer, and what is derived in most.
  const everywhere = renamed + staged.noted + derived > 0 || redated || digested;
  const own = [...new Set([...FIGURE_FAMILIES, ...others.flatMap(({ families }) => families)])];
  await closeRevision(client, revision.id, all, everywhere ? FAMILIES : own);
  if (figures.changed >= ANALYZE_FROM) await client.query('SELECT analyze_content()');
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

/** What shows figures as they are, without anything derived. */
const FIGURE_FAMILIES = ['macro', 'markets', 'ahead', 'briefs'] as const;

function publicationTime({ recordedAt }: Delivery, now: Date): Date {
  return recordedAt !== undefined && recordedAt < now ? recordedAt : now;
}

async function deriveAll(client: pg.PoolClient, vintage: string, revision: RecordedRevision) {
  for (const derive of DERIVERS) await derive({ client, vintage, revision });
  return mergeChanges(client, revision.id, revision.publishedAt);
}
