import { Command } from 'commander';
import { addExamples } from './terminal/examples.js';
import type { CommandContext } from './context/command-context.js';
import { printJson } from './terminal/print-json.js';

/** `tidemark db stop`. */
export function dbCommand(context: CommandContext): Command {
  const db = new Command('db').description('manage the embedded database of this folder');
  addExamples(db.command('stop'), ['tidemark db stop'])
    .description('stop the server that a killed process left running')
    .action(async () => {
      const { stopEmbeddedDatabase } = await import('../store/connections.js');
      const outcome = await stopEmbeddedDatabase(context.dataDir);
      if (context.json) printJson(context, { outcome });
      else context.out(outcome === 'stopped' ? 'The database has stopped' : 'No database was running');
    });
  return db;
}
