import { Command } from 'commander';
import type { CommandContext } from '../process/command-context.js';
import type { Connections } from './connections.js';
import { migrate } from './migrate.js';

type Context = CommandContext & { connections(): Promise<Connections> };

/** `tidemark migrate`. */
export function migrateCommand(context: Context): Command {
  return new Command('migrate')
    .description('updates schema and roles; safe to repeat, and to run several times at once')
    .action(async () => {
      const connections = await context.connections();
      const ran = await migrate(connections, () =>
        context.err('A table that has to be changed is in use: trying again, for two minutes at most'),
      );
      if (context.json) context.out(JSON.stringify({ migrations: ran }));
      else if (ran.length === 0) context.out('The database is up to date');
      else for (const name of ran) context.out(`Ran ${name}`);
    });
}
