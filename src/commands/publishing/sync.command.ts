import { Argument, Command, Option } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { showTable } from '../terminal/show-table.js';
import { SYNCED_PUBLISHERS } from '../../publish/publishers/publisher-names.js';
import type { RunSyncOptions } from './run-sync.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { printJson } from '../terminal/print-json.js';

const publishersArgument = (what: string): Argument =>
  new Argument('[publisher...]', what).choices(SYNCED_PUBLISHERS);

/** `tidemark sync [publisher…]` and `tidemark sync history`. */
export function syncCommand(context: CommandContext): Command {
  return addExamples(new Command('sync'), ['tidemark sync --dry-run', 'tidemark sync ecb eia --watch'])
    .description('imports what publishers have released by their timetables; several at once share the work')
    .addArgument(publishersArgument('only these; default: all that this service may ask'))
    .addOption(
      new Option('--watch', 'go on until SIGTERM, and sleep to the next release').conflicts('dryRun'),
    )
    .option('--dry-run', 'say what is due, and ask nobody')
    .addHelpText('after', '\nWith --json, --watch prints one line for each attempt.')
    .action(async (names: string[], options: RunSyncOptions) => {
      const { runSync } = await import('./run-sync.js');
      await runSync(context, names, options);
    })
    .addCommand(historyCommand(context));
}

function historyCommand(context: CommandContext): Command {
  return addExamples(new Command('history'), ['tidemark sync history ecb --limit 5'])
    .description('lists attempts, newest first: what was imported, held or failed, and why')
    .addArgument(publishersArgument('only of these'))
    .option('--limit <count>', 'maximum number of attempts', '50')
    .action(async (names: string[], options: { readonly limit: string }) => {
      const limit = parsedCount('--limit', options.limit, [1, 100_000]);
      const { listAttempts } = await import('../../publish/sync/attempts.js');
      const { historyCells } = await import('./sync-lines.js');
      const attempts = await withDatabase(context, 'import', (dataSource) =>
        listAttempts(dataSource, names, limit),
      );
      if (context.json) printJson(context, { attempts });
      else if (attempts.length === 0) context.out('Nothing was tried yet');
      else {
        const number = { heading: 'number', align: 'right' } as const;
        const columns = [number, 'publisher', 'started', 'took', 'outcome', 'what', 'next'];
        const rows = attempts.map((attempt) => historyCells(attempt, context.now()));
        await showTable(context, columns, rows);
      }
    });
}
