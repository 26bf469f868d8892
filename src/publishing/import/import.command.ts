import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../process/command-context.js';
import { dayOf } from '../../figures/periods.js';
import { readCatalogue } from '../catalogue/catalogue.js';
import { importFiles } from './import-files.js';
import { importProgress } from './import-progress.js';
import type { ImportReport } from './import-report.js';
import { IMPORTERS } from '../publishers/importers.js';
import type { Delivery, Importer } from '../batches/importer.js';
import { badRowLines, reportLines } from './report-lines.js';
import { BadRowsError } from '../content/bad-rows.js';

interface Options {
  readonly vintage?: string;
  readonly backfill?: true;
  readonly replace?: true;
  readonly skipBadRows?: true;
  readonly dryRun?: true;
  readonly live?: true;
  readonly since?: string;
  readonly json?: true;
}

/** `tidemark import <publisher> <path…>` and `tidemark import <publisher> --live`. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description("imports a publisher's files: each vintage is one data version, served whole or not at all")
    .addArgument(new Argument('<publisher>').choices(Object.keys(IMPORTERS)))
    .argument('[path...]', 'files, folders, or a folder of day-named folders')
    .option('--vintage <day>', 'vintage day (YYYY-MM-DD) of the files, if they do not state it')
    .option('--backfill', 'accept vintages older than the newest one; they make no changes')
    .option('--replace', 'accept different figures of a stored vintage; changes are corrected or withdrawn')
    .option('--skip-bad-rows', 'skip bad rows and list them, instead of publishing nothing')
    .option('--dry-run', 'report the result, but publish nothing')
    .option('--live', 'download from the publisher instead of reading files')
    .option('--since <day>', 'with --live: only figures from this day on')
    .option('--json', 'report as JSON')
    .action(async (publisher: string, paths: string[], options: Options) => {
      const importer = IMPORTERS[publisher];
      if (importer === undefined) throw new UsageError(`There is no publisher '${publisher}'`);
      await run(context, importer, paths, options);
    });
}

async function run(
  context: CommandContext,
  importer: Importer,
  paths: readonly string[],
  options: Options,
): Promise<void> {
  const live = options.live === true;
  if (live === paths.length > 0) throw new UsageError('Give either paths or --live');
  if (options.since !== undefined && !live) throw new UsageError('--since needs --live');
  const json = context.json || options.json === true;
  const files = live ? await fetched(context, importer, options, json) : paths;
  const deliveries = await importer.open(files, options.vintage ?? null);
  const reports = await imported(context, importer, deliveries, options, json);
  if (json) context.out(JSON.stringify({ reports }, null, 2));
}

async function imported(
  context: CommandContext,
  importer: Importer,
  deliveries: readonly Delivery[],
  options: Options,
  json: boolean,
): Promise<ImportReport[]> {
  const progress = importProgress(context, json);
  try {
    return await withDatabase(context, 'import', (dataSource) =>
      importFiles(dataSource, importer, deliveries, {
        backfill: options.backfill === true,
        replace: options.replace === true,
        skipBadRows: options.skipBadRows === true,
        dryRun: options.dryRun === true,
        now: () => context.now(),
        onProgress: (...step) => progress.show(...step),
        onReport: (report) => {
          progress.clear();
          if (!json) for (const line of reportLines(report)) context.out(line);
        },
      }),
    );
  } catch (error) {
    progress.clear();
    if (error instanceof BadRowsError) {
      for (const line of badRowLines(error.listed, error.count)) context.err(line);
    }
    throw error;
  }
}

/** Fetched files stay in the data folder, so that a broken download can resume. */
async function fetched(
  context: CommandContext,
  importer: Importer,
  options: Options,
  json: boolean,
): Promise<string[]> {
  if (importer.fetch === undefined) {
    throw new UsageError(`${importer.publisher} has no open endpoint: give the paths of its files`);
  }
  const today = dayOf(context.now());
  const folder = join(context.dataDir, 'downloads', importer.publisher, today);
  await mkdir(folder, { recursive: true });
  const { indicators, regions } = readCatalogue();
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await importer.fetch({
      folder,
      indicators: indicators
        .filter(({ provider }) => provider === importer.publisher)
        .map(({ providerCode }) => providerCode),
      regions: regions.map(({ code, alpha3 }) => alpha3 ?? code),
      since: options.since ?? null,
      contact: context.contact ?? null,
      accessCode: context.accessCodes?.[importer.publisher] ?? null,
      onProgress: (done, total, what) => {
        if (!json) context.err(`${done}/${total} ${what}`);
      },
      signal: stop.signal,
    });
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
