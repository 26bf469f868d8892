import { Command } from 'commander';
import type { CommandContext } from '../process/command-context.js';
import { stopEmbeddedPostgres } from '@tidemark/embedded-postgres';

/** `tidemark db stop`. */
export function dbCommand(context: CommandContext): Command {
  const db = new Command('db').description('manage the embedded database of this folder');
  db.command('stop')
    .description('stop the server that a killed process left running')
    .action(async () => {
      const outcome = await stopEmbeddedPostgres(context.dataDir);
      if (context.json) context.out(JSON.stringify({ outcome }));
      else context.out(outcome === 'stopped' ? 'The database has stopped' : 'No database was running');
    });
  return db;
}
