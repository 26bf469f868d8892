import { Command } from 'commander';
import { UsageError, sayWaiting, withDatabase, type CommandContext } from '../context/command-context.js';
import { addExamples } from '../terminal/examples.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { showTable } from '../terminal/show-table.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { ShownChange } from '../../publish/versions/show-change.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { printJson } from '../terminal/print-json.js';

interface Options extends Yes {
  readonly reason: string;
}

/** `tidemark changes list`, `changes show ID` and `changes withdraw ID --reason R`. */
export function changesCommand(context: CommandContext): Command {
  const list = new Command('list')
    .description('lists changes, newest first, also withdrawn ones')
    .option('--source <id>', 'only of this source, as `sources list` shows it')
    .option('--limit <count>', 'maximum number of changes', '20')
    .action(async ({ source, limit }: { readonly source?: string; readonly limit: string }) => {
      const most = parsedCount('--limit', limit, [1, 100_000]);
      const { listChanges } = await import('../../publish/versions/list-changes.js');
      const changes = await withDatabase(context, 'import', (dataSource) =>
        listChanges(dataSource, source ?? null, most),
      );
      if (context.json) printJson(context, { changes });
      else if (changes.length === 0) context.out('There are no changes');
      else {
        const now = context.now();
        const rows = changes.map(({ id, publishedAt, kind, importance, status, headline }) => {
          return [id, timeAgo(publishedAt, now), kind, String(importance), status, headline.en];
        });
        const weight = { heading: 'importance', align: 'right' } as const;
        await showTable(context, ['id', 'published', 'kind', weight, 'status', 'headline'], rows);
      }
    });
  const show = new Command('show')
    .description('shows a published change, also a withdrawn one with its reason')
    .argument('<id>', 'chg_…, as `changes list` shows it')
    .action(async (id: string) => {
      const { findChange } = await import('../../publish/versions/show-change.js');
      const change = await withDatabase(context, 'import', (dataSource) => findChange(dataSource, id));
      if (context.json) printJson(context, { change });
      else for (const line of linesOf(change, context.now())) context.out(line);
    });
  const withdraw = withYes(new Command('withdraw'))
    .description('withdraws a published change permanently: its address then responds with 410')
    .argument('<id>', 'chg_…, as `changes list` shows it')
    .requiredOption('--reason <text>', 'reason, for the record')
    .action(async (id: string, options: Options) => {
      if (options.reason.trim() === '') throw new UsageError('--reason: say why, for the record');
      await requireYes(context, options, `Withdrawing ${id} is permanent`);
      const { withdrawChange } = await import('../../publish/versions/withdraw-change.js');
      const publication = await withDatabase(context, 'import', (dataSource) =>
        withdrawChange(dataSource, id, options.reason, () => context.now(), sayWaiting(context)),
      );
      if (context.json) printJson(context, { id, dataVersion: publication?.dataVersion ?? null });
      else if (publication === null) context.out(`${id} was withdrawn before, nothing changed`);
      else context.out(`${id} withdrawn in data version ${publication.dataVersion}`);
    });
  return new Command('changes')
    .description('published changes')
    .addCommand(addExamples(list, ['tidemark changes list --source ecb --limit 5']))
    .addCommand(addExamples(show, ['tidemark changes show chg_…', 'tidemark changes show chg_… --json']))
    .addCommand(
      addExamples(withdraw, ['tidemark changes withdraw chg_… --reason "misprint of the source" --yes']),
    );
}

function linesOf(change: ShownChange, now: Date): string[] {
  const { id, kind, status, importance, headline, summary, dataVersion, sourceId } = change;
  const { occurredAt, publishedAt, updatedAt, withdrawnAt, withdrawalReason } = change;
  const lines = [
    ['id', id],
    ['kind', `${kind}, importance ${importance}`],
    ['status', status],
    ['occurred', timeAgo(occurredAt, now)],
    ['published', `${timeAgo(publishedAt, now)}, data version ${dataVersion}`],
    ...(status === 'corrected' ? [['corrected', timeAgo(updatedAt, now)]] : []),
    ...(withdrawnAt === null
      ? []
      : [['withdrawn', `${timeAgo(withdrawnAt, now)}: ${withdrawalReason ?? ''}`]]),
    ['source', sourceId],
  ].map(([name = '', text = '']) => `${name.padEnd(11)}${text}`);
  return [headline.en, '', ...lines, '', summary.en];
}
