import { Command } from 'commander';
import { addExamples } from '../../terminal/examples.js';
import { UsageError, withDatabase, type CommandContext } from '../../process/command-context.js';

interface Options {
  readonly starter?: true;
  readonly out: string;
  readonly json?: true;
}

/** `tidemark export --starter`. */
export function exportCommand(context: CommandContext): Command {
  return addExamples(new Command('export'), ['tidemark export --starter --out data/starter'])
    .description('writes figures to files')
    .option('--starter', 'the starter set, which a first start loads')
    .option('--out <folder>', 'target folder', 'data/starter')
    .option('--json', 'as JSON')
    .action(async (options: Options) => {
      if (options.starter !== true) throw new UsageError('Choose what to export: --starter');
      const { exportStarter } = await import('./export-starter.js');
      const exported = await withDatabase(context, 'import', (dataSource) =>
        exportStarter(dataSource, options.out),
      );
      if (context.json || options.json === true) context.out(JSON.stringify(exported, null, 2));
      else {
        for (const { name, lines, bytes } of exported.files) {
          context.out(
            `${exported.folder}/${name}: ${lines.toLocaleString('en')} lines, ${bytes.toLocaleString('en')} bytes`,
          );
        }
      }
    });
}
