import { withDatabase, type CommandContext } from '../context/command-context.js';
import { action, type CommandData, type CommandOutput } from '../terminal/command.js';

/** `tidemark export`. */
export const exports: CommandData = action<{ readonly starter?: true; readonly out?: string }>({
  name: 'export',
  about: 'writes the newest data version as NDJSON and Parquet files',
  examples: ['tidemark export --out /srv/figures', 'tidemark export --starter --out data/starter'],
  options: [
    ['--starter', 'the starter set, which a first start loads, instead'],
    ['--out <folder>', 'target folder (default: export; with --starter: data/starter)'],
  ],
  run: (context, { starter, out }) => (starter === true ? writeStarter(context, out) : writeVersion(context, out)),
});

async function writeStarter(context: CommandContext, out = 'data/starter'): Promise<CommandOutput> {
  const { exportStarter } = await import('../../publish/starter/export-starter.js');
  const exported = await withDatabase(context, 'import', (dataSource) => exportStarter(dataSource, out));
  const text = exported.files.map(
    ({ name, lines, bytes }) =>
      `${exported.folder}/${name}: ${lines.toLocaleString('en')} lines, ${bytes.toLocaleString('en')} bytes`,
  );
  return { json: exported, text };
}

async function writeVersion(context: CommandContext, out = 'export'): Promise<CommandOutput> {
  const { exportDataVersion } = await import('../../publish/export/export-data-version.js');
  const { exportProgress } = await import('./export-progress.js');
  const progress = exportProgress(context);
  // The role of the API does not see what is withheld.
  const exported = await withDatabase(context, 'api', (dataSource) =>
    exportDataVersion(dataSource, out, progress.show),
  ).finally(progress.clear);
  const { dataVersion, folder, existed, tables } = exported;
  const text = [
    `${folder}: data version ${dataVersion}${existed ? ' is there already' : ''}`,
    ...tables.map(({ name, rows, files }) => {
      const sizes = files.map(({ file, bytes }) => `${file} ${bytes.toLocaleString('en')} bytes`);
      return `  ${name}: ${rows.toLocaleString('en')} rows; ${sizes.join(', ')}`;
    }),
  ];
  return { json: exported, text };
}
