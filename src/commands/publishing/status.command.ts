import { Command } from 'commander';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { addExamples } from '../terminal/examples.js';
import { showTable } from '../terminal/show-table.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { PublisherStatus, ServiceStatus } from '../../publish/status/read-status.js';
import { printJson } from '../terminal/print-json.js';

/** `tidemark status`. */
export function statusCommand(context: CommandContext): Command {
  const status = new Command('status')
    .description('shows the database, the data version, the age of figures, what is due and what is held')
    .action(async () => {
      const { readStatus } = await import('../../publish/status/read-status.js');
      const read = await withDatabase(context, 'import', (dataSource) =>
        readStatus(dataSource, context.now()),
      );
      if (context.json) printJson(context, { database: context.database ?? null, ...read });
      else await show(context, read);
    });
  return addExamples(status, [
    'tidemark status',
    "tidemark status --jq '.publishers[] | select(.isOverdue)'",
  ]);
}

async function show(context: CommandContext, status: ServiceStatus): Promise<void> {
  const { databaseVersion, dataVersion, publishedAt, publishers, held } = status;
  const now = context.now();
  const version =
    publishedAt === null ? 'nothing is published' : `${dataVersion}, published ${timeAgo(publishedAt, now)}`;
  context.out(`PostgreSQL    ${databaseVersion}`);
  context.out(`data version  ${version}`);
  context.out('');
  const rows = publishers.map((one) => cellsOf(one, now));
  await showTable(context, ['publisher', 'newest figure', 'next figure', 'sync'], rows);
  context.out('');
  if (held.length === 0) {
    context.out('Nothing is held');
    return;
  }
  const number = { heading: 'held', align: 'right' } as const;
  const heldRows = held.map(({ id, publisher, vintage, name, heldAt }) => {
    return [String(id), publisher, vintage, timeAgo(heldAt, now), name];
  });
  await showTable(context, [number, 'publisher', 'vintage', 'since', 'delivery'], heldRows);
}

function cellsOf(
  { publisher, newestPeriod, expectedAt, isOverdue, syncDueAt, isDue }: PublisherStatus,
  now: Date,
): string[] {
  const expected = expectedAt === null ? '' : timeAgo(expectedAt, now);
  const sync = syncDueAt === null ? (isDue ? 'due, never tried' : '') : timeAgo(syncDueAt, now);
  return [
    publisher,
    newestPeriod ?? 'none',
    isOverdue ? `overdue, expected ${expected}` : expected,
    syncDueAt !== null && isDue ? `due since ${sync}` : sync,
  ];
}
