import { Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../command-context.js';
import { withdrawChange } from './withdraw-change.js';

interface Options {
  readonly reason: string;
  readonly json?: true;
}

/** `tidemark changes withdraw ID --reason R`. */
export function changesCommand(context: CommandContext): Command {
  const withdraw = new Command('withdraw')
    .description('takes a published change out of every list, for good: it then answers 410')
    .argument('<id>', 'chg_…')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--json', 'as JSON')
    .action(async (id: string, options: Options) => {
      if (options.reason.trim() === '') throw new UsageError('--reason: say why, for the record');
      const revision = await withDatabase(context, 'import', (dataSource) =>
        withdrawChange(dataSource, id, options.reason, context.now()),
      );
      if (context.json || options.json === true) context.out(JSON.stringify({ id, revision }, null, 2));
      else if (revision === null) context.out(`${id} was withdrawn before, nothing changed`);
      else context.out(`${id} withdrawn in revision ${revision.id}`);
    });
  return new Command('changes').description('published changes').addCommand(withdraw);
}
