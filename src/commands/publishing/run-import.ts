import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { DataSource } from 'typeorm';
import { HeldError, UsageError, withDatabase, type CommandContext } from '../context/command-context.js';
import { didYouMean, similar } from '../../domain/errors/nearest.js';
import { dayOf, isDay } from '../../domain/figures/periods.js';
import { fetchFiles } from '../../publish/import/fetch-files.js';
import { importFolder, type FolderRow } from '../../publish/import/import-folder.js';
import { importFiles } from '../../publish/import/import-files.js';
import { importProgress } from './import-progress.js';
import type { ImportOptions } from '../../publish/publication/import-options.js';
import type { ImportReport } from '../../publish/publication/import-report.js';
import { importerNamed, publisherNames } from '../../publish/publishers/importers.js';
import { ImportError, type Delivery, type Importer } from '../../publish/batches/importer.js';
import { openOwnFiles, strayLine } from '../../publish/import/stray-files.js';
import { folderTable } from './folder-table.js';
import { badRowLines, reportLines, sumLines } from './report-lines.js';
import { BadRowsError } from '../../publish/publication/bad-rows.js';
import type { CommandOutput } from '../terminal/command.js';

/** As the command line has them. */
export interface RunImportOptions {
  readonly vintage?: string;
  readonly backfill?: true;
  readonly replace?: true;
  readonly skipBadRows?: true;
  readonly accept?: true;
  readonly reason?: string;
  readonly dryRun?: true;
  readonly live?: true;
  readonly since?: string;
}

/** Prints reports as they come. @throws UsageError, ImportError */
export async function runImport(
  context: CommandContext,
  publisher: string,
  paths: readonly string[],
  options: RunImportOptions,
): Promise<CommandOutput> {
  const importer = importerNamed(publisher);
  if (importer === undefined && paths.length === 0 && (await isFolder(publisher)))
    return runFolderImport(context, publisher, options);
  if (importer === undefined) throw new UsageError(unknownPublisher(publisher));
  requireValid(importer, paths, options, dayOf(context.now()));
  const live = options.live === true;
  const files = live ? await fetched(context, importer, options) : paths;
  const { deliveries, strays } =
    files.length === 0
      ? { deliveries: [], strays: [] }
      : await openOwnFiles(importer, allImporters(), files, options.vintage ?? null);
  if (!context.json) for (const stray of strays) context.err(`left out: ${strayLine(stray)}`);
  if (live && deliveries.length === 0) throw new ImportError(`${importer.publisher} gave nothing to import`);
  const reports = await imported(context, importer, deliveries, options);
  const isHeld = reports.some(({ outcome }) => outcome === 'held');
  const later = deliveries.slice(reports.length).map(({ name }) => name);
  const reason =
    later.length === 0
      ? 'a delivery is held, and was not published'
      : `a delivery is held, so that those after it were not imported: ${later.join(', ')}`;
  return { json: { reports, strays }, text: [], failure: isHeld ? new HeldError(reason) : null };
}

const allImporters = (): Importer[] => publisherNames().flatMap((name) => importerNamed(name) ?? []);

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false;

/** All files below a folder, with a table of what became of each at the end. */
async function runFolderImport(
  context: CommandContext,
  folder: string,
  options: RunImportOptions,
): Promise<CommandOutput> {
  if (options.live === true || options.since !== undefined) throw new UsageError('--live and --since need a publisher');
  requireDays(options, dayOf(context.now()));
  if (!context.json) context.err(`looking whose files are below ${folder}`);
  const progress = importProgress(context);
  const work = (dataSource: DataSource): Promise<FolderRow[]> =>
    importFolder(dataSource, allImporters(), folder, options.vintage ?? null, {
      ...settingsOf(context, options),
      onProgressOf: (publisher, ...step) => progress.show(...step, publisher),
    });
  const rows = await withDatabase(context, 'import', work, options.dryRun === true ? undefined : 'create');
  progress.clear();
  return { json: { deliveries: rows }, text: folderTable(rows, folder, context.screen), failure: folderFailure(rows) };
}

/** A file that no publisher has is no failure: a folder may have notes beside figures. */
function folderFailure(rows: readonly FolderRow[]): HeldError | ImportError | null {
  if (rows.some(({ outcome, publisher }) => outcome === 'left out' && publisher !== null))
    return new ImportError('a file of a publisher could not be imported');
  const isHeld = rows.some(({ outcome }) => outcome === 'held');
  return isHeld ? new HeldError('a delivery is held, and was not published') : null;
}

/** Everything that an option alone can get wrong, before anything is read or fetched. */
function requireValid(importer: Importer, paths: readonly string[], options: RunImportOptions, today: string): void {
  const { live, since, vintage } = options;
  if ((live === true) === paths.length > 0) throw new UsageError('Give either paths or --live');
  if (live === true && importer.fetch === undefined) {
    throw new UsageError(`${importer.publisher} has no open endpoint: give the paths of its files`);
  }
  if (since !== undefined && live !== true) throw new UsageError('--since needs --live');
  if (vintage !== undefined && live === true) {
    throw new UsageError('--vintage is for files: a download is of the day that it states, or of today');
  }
  requireDays(options, today);
}

function requireDays({ since, vintage, reason, accept }: RunImportOptions, today: string): void {
  if (reason !== undefined && accept !== true) throw new UsageError('--reason needs --accept');
  for (const [option, day] of Object.entries({ since, vintage })) {
    if (day === undefined) continue;
    if (!isDay(day)) throw new UsageError(`--${option} '${day}' is not a day such as 2026-07-01`);
    if (day > today) throw new UsageError(`--${option} '${day}' lies in the future: today is ${today} in UTC`);
  }
}

async function imported(
  context: CommandContext,
  importer: Importer,
  deliveries: readonly Delivery[],
  options: RunImportOptions,
): Promise<ImportReport[]> {
  const progress = importProgress(context);
  const reported: ImportReport[] = [];
  try {
    const work = (dataSource: DataSource): Promise<ImportReport[]> =>
      importFiles(dataSource, importer, deliveries, {
        ...settingsOf(context, options),
        onProgress: (...step) => progress.show(...step),
        onReport: (report) => {
          progress.clear();
          const lines = reportLines(report, reported.push(report) - 1);
          if (!context.json) for (const line of lines) context.out(line);
        },
      });
    const reports = await withDatabase(context, 'import', work, options.dryRun === true ? undefined : 'create');
    if (!context.json) for (const line of sumLines(reports)) context.out(line);
    return reports;
  } catch (error) {
    progress.clear();
    if (error instanceof BadRowsError && !context.json) {
      for (const line of badRowLines(error.listed, error.count)) context.err(line);
    }
    // Deliveries before the one that failed stay published.
    throw error instanceof Error ? Object.assign(error, { reports: reported }) : error;
  }
}

const settingsOf = (context: CommandContext, options: RunImportOptions): ImportOptions => ({
  backfill: options.backfill === true,
  replace: options.replace === true,
  skipBadRows: options.skipBadRows === true,
  dryRun: options.dryRun === true,
  ...(options.accept === true ? { accept: acceptedBy(options.reason) } : {}),
  now: () => context.now(),
});

/** Who accepts it, and why. */
const acceptedBy = (reason: string | undefined): string =>
  [userInfo().username, reason].filter((part) => part !== undefined).join(': ');

async function fetched(context: CommandContext, importer: Importer, options: RunImportOptions): Promise<string[]> {
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await fetchFiles(context, importer, {
      since: options.since ?? null,
      onProgress: (done, total, what) => {
        if (!context.json) context.err(`${done}/${total} ${what}`);
      },
      signal: stop.signal,
    });
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}

function unknownPublisher(publisher: string): string {
  const near = similar(publisher, publisherNames());
  const hint = near.length > 0 ? didYouMean(near) : `There are ${publisherNames().join(', ')}.`;
  return `There is no publisher '${publisher}'. ${hint}`;
}
