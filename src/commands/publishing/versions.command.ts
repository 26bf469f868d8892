import { sayWaiting, withDatabase } from '../context/command-context.js';
import { action, mostOf, ordinal, REASON, toRight, type CommandData } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';

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
export const versions: CommandData = {
  name: 'versions',
  about: 'publications',
  commands: [
    action<{ readonly limit: number }>({
      name: 'list',
      about: 'lists publications, newest first',
      examples: ['tidemark versions list --limit 5'],
      options: [mostOf('publications', 50)],
      run: async (context, { limit }) => {
        const { readSnapshot } = await import('../../store/snapshots.js');
        const all = await withDatabase(context, 'import', (dataSource) =>
          readSnapshot(dataSource, (read) => read<ListedVersion>(LIST, [limit])),
        );
        const columns = [toRight('version'), 'published', 'kind', 'what', 'counts'];
        const rows = all.map((version) => cellsOf(version, context.now()));
        return { json: { versions: all }, text: [{ columns, rows, empty: 'Nothing has been published' }] };
      },
    }),
    action<{ readonly reason: string }, [number]>({
      name: 'retract',
      about: 'takes an import back as if it had not been: later ones stand, its changes are withdrawn',
      examples: ['tidemark versions retract 12 --reason "a file of another country" --yes'],
      notes:
        'Not taken back: a replacement, a list of registrants, and one of several imports of legal entities of a day.\n' +
        'Instead, import the right file of that day as a replacement.',
      arguments: [['<number>', 'data version', { parse: ordinal('data version') }]],
      options: [REASON],
      confirm: (_, number) => `Retracting data version ${number} withdraws its changes permanently`,
      run: async (context, { reason }, number) => {
        const { retractVersion } = await import('../../publish/versions/retract-version.js');
        const retraction = await withDatabase(context, 'import', (dataSource) =>
          retractVersion(dataSource, number, reason, () => context.now(), sayWaiting(context)),
        );
        const { publication, figures, series, changes } = retraction;
        return {
          json: retraction,
          text:
            `${number} retracted in data version ${publication.dataVersion}: ${figures} figures of ${series} series are ` +
            `as they were, ${changes.corrected} changes corrected, ${changes.withdrawn} withdrawn`,
        };
      },
    }),
  ],
};

function cellsOf({ dataVersion, publishedAt, kind, description, counts }: ListedVersion, now: Date): string[] {
  const moved = Object.entries(counts).filter(([, count]) => count > 0);
  const counted = moved.map(([what, count]) => `${what} ${count.toLocaleString('en')}`).join(', ');
  return [String(dataVersion), timeAgo(publishedAt, now), kind, description, counted];
}
