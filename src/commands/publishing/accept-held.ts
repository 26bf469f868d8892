import { userInfo } from 'node:os';
import type { DataSource } from 'typeorm';
import { UsageError, withDatabase, type CommandContext } from '../context/command-context.js';
import { importFiles } from '../../publish/import/import-files.js';
import type { ImportReport } from '../../publish/publication/import-report.js';
import { importerNamed } from '../../publish/publishers/importers.js';
import { ImportError } from '../../publish/batches/importer.js';
import { decideHeld, deliveriesOfHeld, findUndecided, type HeldDelivery } from '../../publish/audit/held-deliveries.js';
import { endWaitsOf } from '../../publish/versions/end-waits.js';

/** As the command line has them. */
export interface DecisionOptions {
  readonly reason?: string;
  /** Only these of its waiting series. */
  readonly series?: readonly string[];
}

export interface AcceptOptions extends DecisionOptions {
  readonly without?: readonly string[];
  readonly backfill?: true;
  readonly replace?: true;
}

/** Publishes a held delivery, or series that wait in it; its order among the vintages is judged again. */
export function acceptHeld(context: CommandContext, id: number, options: AcceptOptions): Promise<ImportReport[]> {
  return withDatabase(context, 'import', async (dataSource) => {
    const held = await findUndecided(dataSource, id);
    const importer = importerNamed(held.publisher);
    if (importer === undefined) throw new ImportError(`There is no publisher '${held.publisher}' any more`);
    const decision = { ...decisionOf(context, options), state: 'accepted' as const };
    const { by, reason } = decision;
    const only = chosen(held, options);
    const reports = await importFiles(dataSource, importer, await deliveriesOfHeld(dataSource, held), {
      accept: [by, reason].filter((part) => part !== null).join(': '),
      without: options.without ?? [],
      ...(only === null ? {} : { only }),
      backfill: held.backfill || options.backfill === true,
      replace: held.replace || options.replace === true,
      skipBadRows: held.skipBadRows,
      now: () => context.now(),
      // Published and decided in one transaction.
      onPublication: (client, { dataVersion }) => decideHeld(client, id, { ...decision, dataVersion }),
    });
    if (reports.every(({ outcome }) => outcome === 'unchanged')) {
      await (only === null
        ? decideHeld(dataSource, id, { ...decision, dataVersion: null })
        : endWaitsOf(dataSource, held, only, decision));
    }
    return reports;
  });
}

/** Forgets a held delivery, or series that wait in it. */
export function dropHeld(context: CommandContext, id: number, options: DecisionOptions): Promise<HeldDelivery> {
  return withDatabase(context, 'import', async (dataSource: DataSource) => {
    const held = await findUndecided(dataSource, id);
    const decision = { ...decisionOf(context, options), state: 'dropped' as const };
    const only = chosen(held, options);
    await (only === null
      ? decideHeld(dataSource, id, { ...decision, dataVersion: null })
      : endWaitsOf(dataSource, held, only, decision));
    return held;
  });
}

const decisionOf = (context: CommandContext, { reason }: DecisionOptions) => ({
  at: context.now(),
  by: userInfo().username,
  reason: reason ?? null,
});

/** The waiting series that are decided; null if the delivery waits as a whole. @throws UsageError */
function chosen({ id, publishedWith, waiting }: HeldDelivery, { series }: DecisionOptions): readonly string[] | null {
  if (publishedWith !== null) return series ?? waiting.map((one) => one.series);
  if (series !== undefined)
    throw new UsageError(`The delivery ${id} is held whole: leave series out of it with accept --without`);
  return null;
}
