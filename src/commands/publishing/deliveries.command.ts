import { userInfo } from 'node:os';
import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { UsageError, withDatabase, type CommandContext } from '../context/command-context.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { showTable } from '../terminal/show-table.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { AcceptOptions } from './accept-held.js';
import type { HeldDelivery } from '../../publish/audit/held-deliveries.js';
import { printJson } from '../terminal/print-json.js';

/** `tidemark deliveries list|show|accept|drop`: what the audit held. */
export function deliveriesCommand(context: CommandContext): Command {
  const list = addExamples(new Command('list'), ['tidemark deliveries list --all'])
    .description('lists held deliveries, newest first')
    .option('--all', 'also those that were accepted or dropped')
    .action(async (options: { readonly all?: true }) => {
      const { listHeld } = await import('../../publish/audit/held-deliveries.js');
      const deliveries = await withDatabase(context, 'import', (dataSource) =>
        listHeld(dataSource, options.all === true),
      );
      if (context.json) printJson(context, { deliveries });
      else if (deliveries.length === 0) context.out('Nothing is held');
      else await showHeld(context, deliveries);
    });
  const show = addExamples(new Command('show'), ['tidemark deliveries show 3'])
    .description('shows a held delivery: what is implausible about it, figure by figure')
    .argument('<number>', 'as listed')
    .action(async (id: string) => {
      const { findHeld } = await import('../../publish/audit/held-deliveries.js');
      const { findingLines } = await import('../../publish/audit/held-lines.js');
      const held = await withDatabase(context, 'import', (dataSource) => findHeld(dataSource, numberOf(id)));
      if (context.json) printJson(context, held);
      else {
        await showHeld(context, [held]);
        for (const line of findingLines(held.findings)) context.out(line);
      }
    });
  const accept = addExamples(new Command('accept'), [
    'tidemark deliveries accept 3 --without "gdp-growth JP" --reason "confirmed by the publisher"',
  ])
    .description('publishes a held delivery nevertheless; its order among the vintages is judged again')
    .argument('<number>', 'as listed')
    .option('--reason <text>', 'reason, for the record')
    .option('--without <series...>', 'series to leave as they are, such as "gdp-growth JP"')
    .option('--backfill', 'accept it although a newer vintage is stored; it makes no changes')
    .option('--replace', 'accept different figures of a stored vintage; changes are corrected or withdrawn')
    .action(async (id: string, options: AcceptOptions) => {
      const { acceptHeld } = await import('./accept-held.js');
      const { reportLines, sumLines } = await import('./report-lines.js');
      const reports = await acceptHeld(context, numberOf(id), options);
      if (context.json) printJson(context, { reports });
      else for (const line of [...reports.flatMap(reportLines), ...sumLines(reports)]) context.out(line);
    });
  const drop = addExamples(withYes(new Command('drop')), [
    'tidemark deliveries drop 3 --reason "a wrong file" --yes',
  ])
    .description('forgets a held delivery: nothing of it is published')
    .argument('<number>', 'as listed')
    .option('--reason <text>', 'reason, for the record')
    .action(async (id: string, options: { readonly reason?: string } & Yes) => {
      const number = numberOf(id);
      await requireYes(context, options, `Dropping the held delivery ${number} deletes its content`);
      const { decideHeld, findUndecided } = await import('../../publish/audit/held-deliveries.js');
      const held = await withDatabase(context, 'import', async (dataSource) => {
        const found = await findUndecided(dataSource, number);
        await decideHeld(dataSource, found.id, {
          ...{ state: 'dropped', at: context.now(), by: userInfo().username },
          ...{ reason: options.reason ?? null, dataVersion: null },
        });
        return found;
      });
      if (context.json) printJson(context, { dropped: held.id });
      else context.out(`${held.id} dropped: ${held.name}`);
    });
  return [list, show, accept, drop].reduce(
    (command, child) => command.addCommand(child),
    new Command('deliveries').description('deliveries that the audit held as implausible'),
  );
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${text}: give the number of a held delivery`);
  return Number(text);
}

async function showHeld(context: CommandContext, deliveries: readonly HeldDelivery[]): Promise<void> {
  const now = context.now();
  const rows = deliveries.map(({ id, heldAt, publisher, vintage, name, state, findings, decidedBy }) => {
    const checks = [...new Set(findings.map(({ check }) => check))].join(', ');
    const decided = decidedBy === null ? '' : ` by ${decidedBy}`;
    return [String(id), timeAgo(heldAt, now), publisher, vintage, `${state}${decided}`, checks, name];
  });
  const number = { heading: 'number', align: 'right' } as const;
  await showTable(context, [number, 'held', 'publisher', 'vintage', 'state', 'checks', 'delivery'], rows);
}
