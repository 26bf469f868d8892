import { Command } from 'commander';
import { UsageError, withDatabase, type CommandContext } from '../../process/command-context.js';
import { readSnapshot } from '../../database/snapshots.js';

interface ListedVersion {
  readonly dataVersion: number;
  readonly publishedAt: Date;
  readonly kind: string;
  readonly vintageDay: string | null;
  readonly description: string;
  readonly counts: Readonly<Record<string, number>>;
}

const LIST = `
  SELECT data_version AS "dataVersion", published_at AS "publishedAt", kind, vintage_day AS "vintageDay", description, counts
  FROM publications ORDER BY data_version DESC LIMIT $1`;

/** `tidemark versions`: lists publications, newest first. */
export function versionsCommand(context: CommandContext): Command {
  return new Command('versions')
    .description('lists publications, newest first')
    .option('--limit <count>', 'maximum number of publications', '50')
    .option('--json', 'as JSON')
    .action(async (options: { readonly limit: string; readonly json?: true }) => {
      if (!/^[1-9]\d{0,5}$/.test(options.limit)) throw new UsageError('--limit: a whole number from 1 on');
      const limit = Number(options.limit);
      const versions = await withDatabase(context, 'import', (dataSource) =>
        readSnapshot(dataSource, (read) => read<ListedVersion>(LIST, [limit])),
      );
      if (context.json || options.json === true) context.out(JSON.stringify({ versions }, null, 2));
      else if (versions.length === 0) context.out('Nothing has been published');
      else for (const version of versions) context.out(lineOf(version));
    });
}

function lineOf({ dataVersion, publishedAt, kind, description, counts }: ListedVersion): string {
  const moved = Object.entries(counts).filter(([, count]) => count > 0);
  const said = moved.map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return `${dataVersion}  ${publishedAt.toISOString()}  ${kind}  ${description}${said === '' ? '' : `  (${said})`}`;
}
