import { Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../process/command-context.js';
import { withdrawChange } from './withdraw-change.js';

interface Options {
  readonly reason: string;
  readonly json?: true;
}

/** `tidemark changes withdraw ID --reason R`. */
export function changesCommand(context: CommandContext): Command {
  const withdraw = new Command('withdraw')
    .description('withdraws a published change permanently: its address then responds with 410')
    .argument('<id>', 'chg_…')
    .requiredOption('--reason <text>', 'reason, for the record')
    .option('--json', 'as JSON')
    .action(async (id: string, options: Options) => {
      if (options.reason.trim() === '') throw new UsageError('--reason: say why, for the record');
      const publication = await withDatabase(context, 'import', (dataSource) =>
        withdrawChange(dataSource, id, options.reason, context.now()),
      );
      if (context.json || options.json === true)
        context.out(JSON.stringify({ id, dataVersion: publication?.dataVersion ?? null }, null, 2));
      else if (publication === null) context.out(`${id} was withdrawn before, nothing changed`);
      else context.out(`${id} withdrawn in data version ${publication.dataVersion}`);
    });
  return new Command('changes').description('published changes').addCommand(withdraw);
}
