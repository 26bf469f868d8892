import { Command } from 'commander';
import { sayWaiting, withDatabase, type CommandContext } from '../context/command-context.js';
import { addExamples } from '../terminal/examples.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { showTable } from '../terminal/show-table.js';
import { printJson } from '../terminal/print-json.js';

/** `tidemark sources list` and `sources withhold ID`. */
export function sourcesCommand(context: CommandContext): Command {
  const list = new Command('list')
    .description('lists the sources of the catalogue, with their licences and the series that are stored')
    .action(async () => {
      const { listSources } = await import('../../publish/versions/list-sources.js');
      const sources = await withDatabase(context, 'import', listSources);
      if (context.json) {
        printJson(context, { sources });
        return;
      }
      if (sources.length === 0) {
        context.out('The first import stores the sources of the catalogue');
        return;
      }
      const rows = sources.map(({ id, name, licence, series, retrievedOn, withheld }) => {
        return [
          id,
          series.toLocaleString('en'),
          retrievedOn ?? 'never',
          licence,
          withheld ? 'withheld' : '',
          name,
        ];
      });
      const series = { heading: 'series', align: 'right' } as const;
      await showTable(context, ['id', series, 'retrieved', 'licence', 'state', 'name'], rows);
    });
  const withhold = withYes(new Command('withhold'))
    .description('withholds a source: the API no longer serves it, and its derived changes are deleted')
    .argument('<id>', 'as `sources list` shows it')
    .action(async (id: string, options: Yes) => {
      await requireYes(context, options, `Withholding ${id} deletes the changes that were derived from it`);
      const { withholdSource } = await import('../../publish/versions/withhold-source.js');
      const withheld = await withDatabase(context, 'import', (dataSource) =>
        withholdSource(dataSource, id, () => context.now(), sayWaiting(context)),
      );
      const { publication, series, changesDeleted } = withheld;
      if (context.json) printJson(context, { id, ...withheld });
      else if (publication === null) context.out(`${id} was withheld before, nothing changed`);
      else {
        context.out(
          `${id} withheld in data version ${publication.dataVersion}: ${series} series, ${changesDeleted} changes deleted`,
        );
      }
    });
  return new Command('sources')
    .description('sources of figures')
    .addCommand(addExamples(list, ['tidemark sources list']))
    .addCommand(addExamples(withhold, ['tidemark sources withhold frb-h15 --yes']));
}
