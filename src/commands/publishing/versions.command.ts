import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { showTable } from '../terminal/show-table.js';
import { timeAgo } from '../terminal/time-ago.js';
import { UsageError, sayWaiting, withDatabase, type CommandContext } from '../context/command-context.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { printJson } from '../terminal/print-json.js';

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

/** `tidemark versions list` and `versions retract NUMBER`. */
export function versionsCommand(context: CommandContext): Command {
  const retract = addExamples(withYes(new Command('retract')), [
    'tidemark versions retract 12 --reason "a file of another country" --yes',
  ])
    .description('takes an import back as if it had not been: later ones stand, its changes are withdrawn')
    .addHelpText(
      'after',
      '\nNot taken back: a replacement, a list of registrants, and one of several imports of legal entities of a day.' +
        '\nInstead, import the right file of that day as a replacement.',
    )
    .argument('<number>', 'data version')
    .requiredOption('--reason <text>', 'reason, for the record')
    .action(async (number: string, options: { readonly reason: string } & Yes) => {
      if (!/^[1-9]\d{0,8}$/.test(number))
        throw new UsageError(`${number}: give the number of a data version`);
      if (options.reason.trim() === '') throw new UsageError('--reason: say why, for the record');
      await requireYes(
        context,
        options,
        `Retracting data version ${number} withdraws its changes permanently`,
      );
      const { retractVersion } = await import('../../publish/versions/retract-version.js');
      const retraction = await withDatabase(context, 'import', (dataSource) =>
        retractVersion(dataSource, Number(number), options.reason, () => context.now(), sayWaiting(context)),
      );
      const { publication, figures, series, changes } = retraction;
      if (context.json) printJson(context, retraction);
      else {
        context.out(
          `${number} retracted in data version ${publication.dataVersion}: ${figures} figures of ${series} series are ` +
            `as they were, ${changes.corrected} changes corrected, ${changes.withdrawn} withdrawn`,
        );
      }
    });
  const list = addExamples(new Command('list'), ['tidemark versions list --limit 5'])
    .description('lists publications, newest first')
    .option('--limit <count>', 'maximum number of publications', '50')
    .action(async (options: { readonly limit: string }) => {
      const limit = parsedCount('--limit', options.limit, [1, 100_000]);
      const { readSnapshot } = await import('../../store/snapshots.js');
      const versions = await withDatabase(context, 'import', (dataSource) =>
        readSnapshot(dataSource, (read) => read<ListedVersion>(LIST, [limit])),
      );
      if (context.json) printJson(context, { versions });
      else if (versions.length === 0) context.out('Nothing has been published');
      else {
        const columns = [NUMBER, 'published', 'kind', 'what', 'counts'];
        const rows = versions.map((version) => cellsOf(version, context.now()));
        await showTable(context, columns, rows);
      }
    });
  return new Command('versions').description('publications').addCommand(list).addCommand(retract);
}

const NUMBER = { heading: 'version', align: 'right' } as const;

function cellsOf(
  { dataVersion, publishedAt, kind, description, counts }: ListedVersion,
  now: Date,
): string[] {
  const moved = Object.entries(counts).filter(([, count]) => count > 0);
  const counted = moved.map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return [String(dataVersion), timeAgo(publishedAt, now), kind, description, counted];
}
