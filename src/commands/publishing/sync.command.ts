import { withDatabase } from '../context/command-context.js';
import { action, mostOf, toRight, type CommandData, type Parameter } from '../terminal/command.js';
import { SYNCED_PUBLISHERS } from '../../publish/publishers/publisher-names.js';
import type { RunSyncOptions } from './run-sync.js';

const publishers = (what: string): Parameter => ['[publisher...]', what, { choices: SYNCED_PUBLISHERS }];

/** `tidemark sync [publisher…]` and `tidemark sync history`. */
export const synchronization: CommandData = action<RunSyncOptions, [string[]]>({
  name: 'sync',
  about: 'imports what publishers have released by their timetables; several at once share the work',
  examples: ['tidemark sync --dry-run', 'tidemark sync ecb eia --watch'],
  arguments: [publishers('only these; default: all that this service may ask')],
  options: [
    ['--watch', 'go on until SIGTERM, and sleep to the next release', { conflicts: 'dryRun' }],
    ['--dry-run', 'say what is due, and ask nobody'],
  ],
  notes: 'With --json, --watch prints one line for each attempt.',
  run: async (context, options, names) => (await import('./run-sync.js')).runSync(context, names, options),
  commands: [
    action<{ readonly limit: number }, [string[]]>({
      name: 'history',
      about: 'lists attempts, newest first: what was imported, held or failed, and why',
      examples: ['tidemark sync history ecb --limit 5'],
      arguments: [publishers('only of these')],
      options: [mostOf('attempts', 50)],
      run: async (context, { limit }, names) => {
        const { listAttempts } = await import('../../publish/sync/attempts.js');
        const { historyCells } = await import('./sync-lines.js');
        const attempts = await withDatabase(context, 'import', (dataSource) => listAttempts(dataSource, names, limit));
        const columns = [toRight('number'), 'publisher', 'started', 'took', 'outcome', 'what', 'next'];
        const rows = attempts.map((attempt) => historyCells(attempt, context.now()));
        return { json: { attempts }, text: [{ columns, rows, empty: 'Nothing was tried yet' }] };
      },
    }),
  ],
});
