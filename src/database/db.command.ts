import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { stopEngine } from './engine/embedded-engine.js';

/** `tidemark db stop`. */
export function dbCommand(context: CommandContext): Command {
  const db = new Command('db').description('the embedded database of this folder');
  db.command('stop')
    .description('stops it, should a killed process have left it running')
    .action(async () => {
      const outcome = await stopEngine(context.dataDir);
      if (context.json) context.out(JSON.stringify({ outcome }));
      else context.out(outcome === 'stopped' ? 'The database has stopped' : 'No database was running');
    });
  return db;
}
