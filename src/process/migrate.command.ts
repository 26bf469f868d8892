import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import type { Connections } from '../database/connections.js';
import type { CommandContext } from './command-context.js';
import { printJson } from '../terminal/print-json.js';

type Context = CommandContext & { connections(mode?: 'create'): Promise<Connections> };

/** `tidemark migrate`. */
export function migrateCommand(context: Context): Command {
  return addExamples(new Command('migrate'), ['tidemark migrate'])
    .description('updates schema, roles and stored texts; safe to repeat, and to run several times at once')
    .action(async () => {
      const { migrate } = await import('../database/migrate.js');
      const { renderStoredTexts } = await import('./render-stored-texts.js');
      const connections = await context.connections('create');
      const ran = await migrate(connections, () =>
        context.err('A table that has to be changed is in use: trying again, for two minutes at most'),
      );
      const rendered = await renderStoredTexts(connections, (line) => context.err(line));
      const dataVersion = rendered?.dataVersion ?? null;
      if (context.json) printJson(context, { migrations: ran, dataVersion });
      else if (ran.length === 0 && rendered === null) context.out('The database is up to date');
      else {
        for (const name of ran) context.out(`Ran ${name}`);
        if (rendered !== null)
          context.out(`Rendered the texts again in data version ${rendered.dataVersion}`);
      }
    });
}
