import { userInfo } from 'node:os';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { importFiles } from '../../publish/import/import-files.js';
import type { ImportReport } from '../../publish/publication/import-report.js';
import { importerNamed } from '../../publish/publishers/importers.js';
import { ImportError } from '../../publish/batches/importer.js';
import { decideHeld, deliveriesOfHeld, findUndecided } from '../../publish/audit/held-deliveries.js';

/** As the command line has them. */
export interface AcceptOptions {
  readonly reason?: string;
  readonly without?: readonly string[];
  readonly backfill?: true;
  readonly replace?: true;
}

/** Publishes a held delivery; its order among the vintages is judged again. */
export function acceptHeld(
  context: CommandContext,
  id: number,
  options: AcceptOptions,
): Promise<ImportReport[]> {
  return withDatabase(context, 'import', async (dataSource) => {
    const held = await findUndecided(dataSource, id);
    const importer = importerNamed(held.publisher);
    if (importer === undefined) throw new ImportError(`There is no publisher '${held.publisher}' any more`);
    const by = userInfo().username;
    const decision = (dataVersion: number | null) => ({
      ...{ state: 'accepted' as const, at: context.now(), by },
      ...{ reason: options.reason ?? null, dataVersion },
    });
    const reports = await importFiles(dataSource, importer, await deliveriesOfHeld(dataSource, held), {
      accept: [by, options.reason].filter((said) => said !== undefined).join(': '),
      without: options.without ?? [],
      backfill: held.backfill || options.backfill === true,
      replace: held.replace || options.replace === true,
      skipBadRows: held.skipBadRows,
      now: () => context.now(),
      // Published and decided in one transaction.
      onPublication: (client, { dataVersion }) => decideHeld(client, id, decision(dataVersion)),
    });
    if (reports.every(({ outcome }) => outcome === 'unchanged')) {
      await decideHeld(dataSource, id, decision(null));
    }
    return reports;
  });
}
