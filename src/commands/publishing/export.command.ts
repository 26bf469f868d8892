import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { printJson } from '../terminal/print-json.js';

interface Options {
  readonly starter?: true;
  readonly out?: string;
}

/** `tidemark export`. */
export function exportCommand(context: CommandContext): Command {
  return addExamples(new Command('export'), [
    'tidemark export --out /srv/figures',
    'tidemark export --starter --out data/starter',
  ])
    .description('writes the newest data version as NDJSON and Parquet files')
    .option('--starter', 'the starter set, which a first start loads, instead')
    .option('--out <folder>', 'target folder (default: export; with --starter: data/starter)')
    .action((options: Options) =>
      options.starter === true ? writeStarter(context, options) : writeVersion(context, options),
    );
}

async function writeStarter(context: CommandContext, { out = 'data/starter' }: Options): Promise<void> {
  const { exportStarter } = await import('../../publish/starter/export-starter.js');
  const exported = await withDatabase(context, 'import', (dataSource) => exportStarter(dataSource, out));
  if (context.json) {
    printJson(context, exported);
    return;
  }
  for (const { name, lines, bytes } of exported.files) {
    context.out(
      `${exported.folder}/${name}: ${lines.toLocaleString('en')} lines, ${bytes.toLocaleString('en')} bytes`,
    );
  }
}

async function writeVersion(context: CommandContext, { out = 'export' }: Options): Promise<void> {
  const { exportDataVersion } = await import('../../publish/export/export-data-version.js');
  const { exportProgress } = await import('./export-progress.js');
  const progress = exportProgress(context);
  // The role of the API does not see what is withheld.
  const exported = await withDatabase(context, 'api', (dataSource) =>
    exportDataVersion(dataSource, out, progress.show),
  ).finally(progress.clear);
  if (context.json) {
    printJson(context, exported);
    return;
  }
  const { dataVersion, folder, existed, tables } = exported;
  context.out(
    existed
      ? `${folder}: data version ${dataVersion} is there already`
      : `${folder}: data version ${dataVersion}`,
  );
  for (const { name, rows, files } of tables) {
    const sizes = files.map(({ file, bytes }) => `${file} ${bytes.toLocaleString('en')} bytes`);
    context.out(`  ${name}: ${rows.toLocaleString('en')} rows; ${sizes.join(', ')}`);
  }
}
