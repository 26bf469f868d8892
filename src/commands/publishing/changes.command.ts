import { sayWaiting, withDatabase } from '../context/command-context.js';
import { action, mostOf, REASON, toRight, type CommandData, type Parameter } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { ShownChange } from '../../publish/versions/show-change.js';

const ID: Parameter = ['<id>', 'chg_…, as `changes list` shows it'];

/** `tidemark changes list`, `changes show ID` and `changes withdraw ID --reason R`. */
export const changes: CommandData = {
  name: 'changes',
  about: 'published changes',
  commands: [
    action<{ readonly source?: string; readonly limit: number }>({
      name: 'list',
      about: 'lists changes, newest first, also withdrawn ones',
      examples: ['tidemark changes list --source ecb --limit 5'],
      options: [['--source <id>', 'only of this source, as `sources list` shows it'], mostOf('changes', 20)],
      run: async (context, { source = null, limit }) => {
        const { listChanges } = await import('../../publish/versions/list-changes.js');
        const all = await withDatabase(context, 'import', (database) => listChanges(database, source, limit));
        const now = context.now();
        const rows = all.map(({ id, publishedAt, kind, importance, status, headline }) => {
          return [id, timeAgo(publishedAt, now), kind, String(importance), status, headline.en];
        });
        const columns = ['id', 'published', 'kind', toRight('importance'), 'status', 'headline'];
        return { json: { changes: all }, text: [{ columns, rows, empty: 'There are no changes' }] };
      },
    }),
    action<object, [string]>({
      name: 'show',
      about: 'shows a published change, also a withdrawn one with its reason',
      examples: ['tidemark changes show chg_…', 'tidemark changes show chg_… --json'],
      arguments: [ID],
      run: async (context, _, id) => {
        const { findChange } = await import('../../publish/versions/show-change.js');
        const change = await withDatabase(context, 'import', (dataSource) => findChange(dataSource, id));
        return { json: { change }, text: linesOf(change, context.now()) };
      },
    }),
    action<{ readonly reason: string }, [string]>({
      name: 'withdraw',
      about: 'withdraws a published change permanently: its address then responds with 410',
      examples: ['tidemark changes withdraw chg_… --reason "misprint of the source" --yes'],
      arguments: [ID],
      options: [REASON],
      confirm: (_, id) => `Withdrawing ${id} is permanent`,
      run: async (context, { reason }, id) => {
        const { withdrawChange } = await import('../../publish/versions/withdraw-change.js');
        const publication = await withDatabase(context, 'import', (dataSource) =>
          withdrawChange(dataSource, id, reason, () => context.now(), sayWaiting(context)),
        );
        const dataVersion = publication?.dataVersion ?? null;
        const text =
          dataVersion === null
            ? `${id} was withdrawn before, nothing changed`
            : `${id} withdrawn in data version ${dataVersion}`;
        return { json: { id, dataVersion }, text };
      },
    }),
  ],
};

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
    ...(withdrawnAt === null ? [] : [['withdrawn', `${timeAgo(withdrawnAt, now)}: ${withdrawalReason ?? ''}`]]),
    ['source', sourceId],
  ].map(([name = '', text = '']) => `${name.padEnd(11)}${text}`);
  return [headline.en, '', ...lines, '', summary.en];
}
