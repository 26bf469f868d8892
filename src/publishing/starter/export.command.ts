import { Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../process/command-context.js';
import { exportStarter } from './export-starter.js';

interface Options {
  readonly starter?: true;
  readonly out: string;
  readonly json?: true;
}

/** `tidemark export --starter`. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('writes figures to files')
    .option('--starter', 'the starter set, which a first start loads')
    .option('--out <folder>', 'target folder', 'data/starter')
    .option('--json', 'as JSON')
    .action(async (options: Options) => {
      if (options.starter !== true) throw new UsageError('Choose what to export: --starter');
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
