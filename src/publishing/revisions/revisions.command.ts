import { Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../command-context.js';
import { readSnapshot } from '../../database/snapshots.js';

interface ListedRevision {
  readonly id: number;
  readonly publishedAt: Date;
  readonly kind: string;
  readonly vintageDay: string | null;
  readonly description: string;
  readonly counts: Readonly<Record<string, number>>;
}

const LIST = `
  SELECT id, published_at AS "publishedAt", kind, vintage_day AS "vintageDay", description, counts
  FROM revisions ORDER BY id DESC LIMIT $1`;

/** `tidemark revisions`: what was published when, newest first. */
export function revisionsCommand(context: CommandContext): Command {
  return new Command('revisions')
    .description('lists what was published when, newest first')
    .option('--limit <count>', 'how many', '50')
    .option('--json', 'as JSON')
    .action(async (options: { readonly limit: string; readonly json?: true }) => {
      if (!/^[1-9]\d{0,5}$/.test(options.limit)) throw new UsageError('--limit: a whole number from 1 on');
      const limit = Number(options.limit);
      const revisions = await withDatabase(context, 'import', (dataSource) =>
        readSnapshot(dataSource, (read) => read<ListedRevision>(LIST, [limit])),
      );
      if (context.json || options.json === true) context.out(JSON.stringify({ revisions }, null, 2));
      else if (revisions.length === 0) context.out('Nothing has been published');
      else for (const revision of revisions) context.out(lineOf(revision));
    });
}

function lineOf({ id, publishedAt, kind, description, counts }: ListedRevision): string {
  const moved = Object.entries(counts).filter(([, count]) => count > 0);
  const said = moved.map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return `${id}  ${publishedAt.toISOString()}  ${kind}  ${description}${said === '' ? '' : `  (${said})`}`;
}
