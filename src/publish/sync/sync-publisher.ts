// One attempt to import what a publisher has released.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { dayOf, shiftedDay } from '../../domain/figures/periods.js';
import { expectedReleases, type NewestFigure, type Timetable } from '../../domain/figures/timetable.js';
import { oneLine } from '../../domain/names/one-line.js';
import { explainError } from '../../domain/errors/explain-error.js';
import { NEWEST_FIGURES } from '../../store/sources/newest-figures.js';
import { isUnavailable } from '../../store/unavailable.js';
import { ImportError, type Importer } from '../batches/importer.js';
import { downloadedOn } from '../batches/source-files.js';
import { waitText } from '../publication/finding.js';
import { badRowLine, BadRowsError } from '../publication/bad-rows.js';
import { downloadsOf, fetchFiles, type FetchContext } from '../import/fetch-files.js';
import { importFiles } from '../import/import-files.js';
import { isHeldWhole, type ImportReport } from '../publication/import-report.js';
import {
  beginAttempt,
  endAttempt,
  lastAttempt,
  notePublication,
  streakOf,
  TakenOverError,
  type Attempt,
} from './attempts.js';
import { whileClaimed } from './claim.js';
import { attemptOn, contentOf, isWaiting } from './known-files.js';
import { nextAfterKilled, nextAttempt, sinceRelease, type AttemptOutcome } from './schedule.js';

/** A publisher with a live path, and when it releases. */
export interface SyncedPublisher {
  readonly importer: Importer;
  readonly timetables: readonly Timetable[];
}

export interface SyncContext extends FetchContext {
  readonly dataSource: DataSource;
  /** Ends the downloads of an attempt; a publication that has begun ends by itself. */
  readonly signal: AbortSignal;
}

/** For all downloads of an attempt. */
const LONGEST_FETCH_MS = 30 * 60_000;
const LONGEST_WHY = 1_000;
const DAYS_KEPT = 7;
/** How long a publisher is asked again for a mended file. */
const MENDING_MS = 86_400_000;

interface Result {
  readonly outcome: AttemptOutcome;
  readonly why: string | null;
  readonly vintage: string | null;
  /** Of the files, if all of them are stored. */
  readonly content: string | null;
}

/**
 * @returns the attempts recorded: first one that was killed before, then the own one unless the publisher is no longer
 * due; undefined while another process works on the publisher
 */
export function syncPublisher(context: SyncContext, publisher: SyncedPublisher): Promise<Attempt[] | undefined> {
  const { publisher: name } = publisher.importer;
  return whileClaimed(context.dataSource, name, async () => {
    const last = await lastAttempt(context.dataSource, name);
    const killed = last?.outcome === null ? [await endKilled(context, last)] : [];
    const { nextAt = null } = killed[0] ?? last ?? {};
    if (nextAt !== null && nextAt > context.now()) return killed;
    return [...killed, await attempt(context, publisher)];
  });
}

/** Its process held the claim until it died. */
async function endKilled({ dataSource, now }: SyncContext, { id, publisher, dataVersion }: Attempt): Promise<Attempt> {
  const endedAt = now();
  if (dataVersion !== null) {
    const why = 'the process was killed after publishing';
    return endAttempt(dataSource, id, { endedAt, outcome: 'new', why, nextAt: endedAt });
  }
  const streak = (await streakOf(dataSource, publisher, 'failed')).length + 1;
  const why = 'the process was killed, nothing was published';
  return endAttempt(dataSource, id, { endedAt, outcome: 'failed', why, nextAt: nextAfterKilled(endedAt, streak) });
}

async function attempt(context: SyncContext, { importer, timetables }: SyncedPublisher): Promise<Attempt> {
  const { dataSource, now, signal } = context;
  const { publisher } = importer;
  const startedAt = now();
  const id = await beginAttempt(dataSource, publisher, startedAt);
  const { outcome, why, vintage, content } = await imported(context, importer, id).catch((error: unknown) => {
    // The next holder of the claim records it.
    if (error instanceof TakenOverError || isLost(error)) throw error;
    return { outcome: 'failed', why: whyOf(error, signal), vintage: null, content: null } as const;
  });
  const endedAt = now();
  const before = await streakOf(dataSource, publisher, outcome);
  const streak = sinceRelease(before, timetables, startedAt).length + 1;
  const since = new Date(endedAt.getTime() - MENDING_MS);
  const waits = await isWaiting(dataSource, publisher, since);
  const expectedAt = await expectedOf(dataSource, publisher);
  const nextAt =
    signal.aborted && outcome === 'failed'
      ? endedAt
      : nextAttempt({ outcome, startedAt, endedAt, vintage, streak, waits }, timetables, expectedAt);
  await forgetDownloads(context, importer);
  return endAttempt(dataSource, id, { endedAt, outcome, why, nextAt, content });
}

/** Whether the database is away; a publisher's own words may look the same. */
const isLost = (error: unknown): boolean => !(error instanceof ImportError) && isUnavailable(error);

async function imported(context: SyncContext, importer: Importer, id: number): Promise<Result> {
  const { dataSource, now } = context;
  const paths = await fetched(context, importer);
  const content = await contentOf(dataSource, paths);
  const known = await attemptOn(dataSource, importer.publisher, content);
  if (known !== null) {
    // What was accepted or dropped meanwhile is not asked about again.
    const isHeld = known.outcome === 'held' && (await isWaiting(dataSource, importer.publisher, null));
    return isHeld
      ? { outcome: 'held', why: known.why, vintage: null, content }
      : { outcome: 'nothing new', why: null, vintage: null, content };
  }
  const deliveries = paths.length === 0 ? [] : await importer.open(paths, null);
  if (deliveries.length === 0) throw new ImportError(`${importer.publisher} gave nothing to import`);
  const reports = await importFiles(dataSource, importer, deliveries, {
    now,
    onlyDifferences: true,
    onPublication: (client, { dataVersion }, { vintage }) => notePublication(client, id, { dataVersion, vintage }),
  });
  return resultOf(reports, content);
}

function resultOf(reports: readonly ImportReport[], content: string): Result {
  const published = reports.filter(({ outcome }) => outcome === 'published');
  const vintage = published.at(-1)?.vintage ?? null;
  const whole = reports.find(isHeldWhole);
  if (whole !== undefined) {
    const checks = [...new Set(whole.findings.map(({ check }) => check))].join(', ');
    return { outcome: 'held', why: `delivery ${whole.heldDelivery} is held: ${checks}`, vintage, content };
  }
  const waits = reports.flatMap(({ quarantined, heldDelivery }) =>
    quarantined.length === 0 ? [] : [whyWaiting(heldDelivery, quarantined)],
  );
  const why = waits.length === 0 ? null : waits.join('; ').slice(0, LONGEST_WHY);
  const unpublished = reports.some(({ outcome }) => outcome === 'held') ? 'held' : 'nothing new';
  return { outcome: published.length > 0 ? 'new' : unpublished, why, vintage, content };
}

function whyWaiting(delivery: number | null, quarantined: ImportReport['quarantined']): string {
  const checks = [...new Set(quarantined.flatMap((one) => one.checks))].sort().join(', ');
  const [first] = quarantined;
  const what = quarantined.length === 1 ? `${first?.series} waits` : waitText(quarantined);
  return `delivery ${delivery}: ${what}: ${checks}`;
}

/** @throws ImportError if the downloads take too long */
async function fetched(context: SyncContext, importer: Importer): Promise<string[]> {
  const tooLong = AbortSignal.timeout(LONGEST_FETCH_MS);
  const signal = AbortSignal.any([context.signal, tooLong]);
  try {
    return await fetchFiles(context, importer, { since: null, onProgress: () => undefined, signal });
  } catch (error) {
    if (!tooLong.aborted || context.signal.aborted) throw error;
    throw new ImportError(`the downloads took longer than ${LONGEST_FETCH_MS / 60_000} minutes`, { cause: error });
  }
}

/** One line; a publisher's words may be among it. */
function whyOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'stopped before it ended, nothing was published';
  const [first] = error instanceof BadRowsError ? error.listed : [];
  const row = first === undefined ? '' : ` The first: ${badRowLine(first)}`;
  return oneLine(`${explainError(error)}${row}`).slice(0, LONGEST_WHY);
}

async function expectedOf(dataSource: DataSource, publisher: string): Promise<Date | null> {
  const figures = await dataSource.query<NewestFigure[]>(NEWEST_FIGURES);
  const [expected] = expectedReleases(figures.filter((figure) => figure.publisher === publisher));
  return expected?.expectedAt ?? null;
}

/** Deletes the downloads of more than a week ago. */
async function forgetDownloads({ dataDir, now }: SyncContext, importer: Importer): Promise<void> {
  const folder = downloadsOf(dataDir, importer);
  const oldest = downloadedOn(shiftedDay(dayOf(now()), -DAYS_KEPT));
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => name.startsWith(downloadedOn('')) && name < oldest);
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
