import { sayWaiting, withDatabase } from '../context/command-context.js';
import { action, toRight, type CommandData } from '../terminal/command.js';

/** `tidemark sources list` and `sources withhold ID`. */
export const sources: CommandData = {
  name: 'sources',
  about: 'sources of figures',
  commands: [
    action({
      name: 'list',
      about: 'lists the sources of the catalogue, with their licences and the series that are stored',
      examples: ['tidemark sources list'],
      run: async (context) => {
        const { listSources } = await import('../../publish/versions/list-sources.js');
        const all = await withDatabase(context, 'import', listSources);
        const rows = all.map(({ id, name, licence, series, retrievedOn, withheld }) => [
          id,
          series.toLocaleString('en'),
          retrievedOn ?? 'never',
          licence,
          withheld ? 'withheld' : '',
          name,
        ]);
        const columns = ['id', toRight('series'), 'retrieved', 'licence', 'state', 'name'];
        const empty = 'The first import stores the sources of the catalogue';
        return { json: { sources: all }, text: [{ columns, rows, empty }] };
      },
    }),
    action<object, [string]>({
      name: 'withhold',
      about: 'withholds a source: the API no longer serves it, and its derived changes are deleted',
      examples: ['tidemark sources withhold frb-h15 --yes'],
      arguments: [['<id>', 'as `sources list` shows it']],
      confirm: (_, id) => `Withholding ${id} deletes the changes that were derived from it`,
      run: async (context, _, id) => {
        const { withholdSource } = await import('../../publish/versions/withhold-source.js');
        const withheld = await withDatabase(context, 'import', (dataSource) =>
          withholdSource(dataSource, id, () => context.now(), sayWaiting(context)),
        );
        const { publication, series, changesDeleted } = withheld;
        const text =
          publication === null
            ? `${id} was withheld before, nothing changed`
            : `${id} withheld in data version ${publication.dataVersion}: ${series} series, ${changesDeleted} changes deleted`;
        return { json: { id, ...withheld }, text };
      },
    }),
  ],
};
