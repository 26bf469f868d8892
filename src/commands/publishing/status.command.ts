import { withDatabase } from '../context/command-context.js';
import { action, toRight, type CommandData, type CommandOutput } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { PublisherStatus, ServiceStatus } from '../../publish/status/read-status.js';

/** `tidemark status`. */
export const status: CommandData = action({
  name: 'status',
  about: 'shows the database, the data version, the age of figures, what is due and what is held',
  examples: ['tidemark status', 'tidemark status --json'],
  run: async (context) => {
    const { readStatus } = await import('../../publish/status/read-status.js');
    const now = context.now();
    const read = await withDatabase(context, 'import', (dataSource) => readStatus(dataSource, now));
    return { json: { database: context.database ?? null, ...read }, text: textOf(read, now) };
  },
});

function textOf(read: ServiceStatus, now: Date): CommandOutput['text'] {
  const { databaseVersion, dataVersion, publishedAt, publishers, held } = read;
  const version =
    publishedAt === null ? 'nothing is published' : `${dataVersion}, published ${timeAgo(publishedAt, now)}`;
  return [
    `PostgreSQL    ${databaseVersion}`,
    `data version  ${version}`,
    '',
    {
      columns: ['publisher', 'newest figure', 'next figure', 'sync'],
      rows: publishers.map((one) => cellsOf(one, now)),
    },
    '',
    {
      columns: [toRight('held'), 'publisher', 'vintage', 'since', 'delivery'],
      rows: held.map(({ id, publisher, vintage, name, heldAt }) => [
        String(id),
        publisher,
        vintage,
        timeAgo(heldAt, now),
        name,
      ]),
      empty: 'Nothing is held',
    },
  ];
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
