import { Argument, Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import type { CommandContext } from '../context/command-context.js';
import { PUBLISHER_NAMES } from '../../publish/publishers/publisher-names.js';
import type { RunImportOptions } from './run-import.js';

/** `tidemark import <publisher> <path…>` and `tidemark import <publisher> --live`. */
export function importCommand(context: CommandContext): Command {
  const publisher = new Argument('<publisher>', 'its name, or that of a mapping of the own catalogue');
  // Only for the help: mappings are known after the catalogue is read.
  publisher.argChoices = [...PUBLISHER_NAMES];
  return addExamples(new Command('import'), [
    'tidemark import ecb --live --since 2026-01-01',
    'tidemark import worldbank-pinksheet --vintage 2026-07-08 CMO-Historical-Data-Monthly.csv --dry-run',
  ])
    .description("imports a publisher's files: each vintage is one data version, served whole or not at all")
    .addArgument(publisher)
    .argument('[path...]', 'files, folders, or a folder of day-named folders')
    .option('--vintage <day>', 'vintage day (YYYY-MM-DD) of the files, if they do not state it')
    .option('--backfill', 'accept vintages older than the newest one; they make no changes')
    .option('--replace', 'accept different figures of a stored vintage; changes are corrected or withdrawn')
    .option('--skip-bad-rows', 'skip bad rows and list them, instead of publishing nothing')
    .option('--accept', 'publish what the audit would hold as implausible')
    .option('--reason <text>', 'with --accept: reason, for the record')
    .option('--dry-run', 'report the result, but publish nothing')
    .option('--live', 'download from the publisher instead of reading files')
    .option('--since <day>', 'with --live: only figures from this day on')
    .action(async (publisher: string, paths: string[], options: RunImportOptions) => {
      const { runImport } = await import('./run-import.js');
      await runImport(context, publisher, paths, options);
    });
}
