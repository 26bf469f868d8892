import { action, type CommandData } from '../terminal/command.js';
import { PUBLISHER_NAMES } from '../../publish/publishers/publisher-names.js';
import type { RunImportOptions } from './run-import.js';

/** `tidemark import <publisher> <path…>` and `tidemark import <publisher> --live`. */
export const imports: CommandData = action<RunImportOptions, [string, string[]]>({
  name: 'import',
  about: "imports a publisher's files: each vintage is one data version, without the series that the audit holds",
  examples: [
    'tidemark import ecb --live --since 2026-01-01',
    'tidemark import ./downloads',
    'tidemark import worldbank-pinksheet --vintage 2026-07-08 CMO-Historical-Data-Monthly.csv --dry-run',
  ],
  arguments: [
    // Only for the help: mappings are known after the catalogue is read.
    [
      '<publisher>',
      'its name, that of a mapping of the own catalogue, or a folder: all files below it',
      { words: PUBLISHER_NAMES },
    ],
    ['[path...]', 'files, folders, or a folder of day-named folders'],
  ],
  options: [
    ['--vintage <day>', 'vintage day (YYYY-MM-DD) of the files, if they do not state it'],
    ['--backfill', 'accept vintages older than the newest one; they make no changes'],
    ['--replace', 'accept different figures of a stored vintage; changes are corrected or withdrawn'],
    ['--skip-bad-rows', 'skip bad rows and list them, instead of publishing nothing'],
    ['--accept', 'publish what the audit would hold as implausible'],
    ['--reason <text>', 'with --accept: reason, for the record'],
    ['--dry-run', 'report the result, but publish nothing'],
    ['--live', 'download from the publisher instead of reading files'],
    ['--since <day>', 'with --live: only figures from this day on'],
  ],
  run: async (context, options, publisher, paths) =>
    (await import('./run-import.js')).runImport(context, publisher, paths, options),
});
