import { Command } from 'commander';
import { withDatabase, type CommandContext } from '../../process/command-context.js';
import { withholdSource } from './withhold-source.js';

/** `tidemark sources withhold ID`. */
export function sourcesCommand(context: CommandContext): Command {
  const withhold = new Command('withhold')
    .description('withholds a source: the API no longer serves it, and its derived changes are deleted')
    .argument('<id>', 'id in the catalogue')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { readonly json?: true }) => {
      const withheld = await withDatabase(context, 'import', (dataSource) =>
        withholdSource(dataSource, id, context.now()),
      );
      const { publication, series, changesDeleted } = withheld;
      if (context.json || options.json === true) context.out(JSON.stringify({ id, ...withheld }, null, 2));
      else if (publication === null) context.out(`${id} was withheld before, nothing changed`);
      else {
        context.out(
          `${id} withheld in data version ${publication.dataVersion}: ${series} series, ${changesDeleted} changes deleted`,
        );
      }
    });
  return new Command('sources').description('sources of figures').addCommand(withhold);
}
