import { withDatabase } from '../context/command-context.js';
import { action, ordinal, toRight, type CommandData, type Parameter, type PrintedTable } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { AcceptOptions, DecisionOptions } from './accept-held.js';
import type { HeldDelivery } from '../../publish/audit/held-deliveries.js';
import type { AuditException } from '../../publish/audit/exceptions.js';
import { countOfWaiting } from '../../publish/publication/finding.js';

const NUMBER: Parameter = ['<number>', 'as listed', { parse: ordinal('held delivery') }];
const WHY: Parameter = ['--reason <text>', 'reason, for the record'];
const SERIES: Parameter = [
  '--series <series...>',
  'only these that wait, such as "gdp-growth JP", an LEI or "CIK 320193": the others wait on',
];

/** `tidemark deliveries list|show|accept|drop|exceptions`: what the audit held. */
export const deliveries: CommandData = {
  name: 'deliveries',
  about: 'deliveries that the audit held as implausible',
  commands: [
    action<{ readonly all?: true }>({
      name: 'list',
      about: 'lists held deliveries, newest first',
      examples: ['tidemark deliveries list --all'],
      options: [['--all', 'also those that were accepted or dropped']],
      run: async (context, options) => {
        const { listHeld } = await import('../../publish/audit/held-deliveries.js');
        const all = await withDatabase(context, 'import', (dataSource) => listHeld(dataSource, options.all === true));
        return { json: { deliveries: all }, text: [tableOf(all, context.now())] };
      },
    }),
    action<object, [number]>({
      name: 'show',
      about: 'shows what waits of a delivery: series before and after, and each implausible figure or row',
      examples: ['tidemark deliveries show 3'],
      arguments: [NUMBER],
      run: async (context, _, id) => {
        const { findHeld } = await import('../../publish/audit/held-deliveries.js');
        const { findingLines, waitingLines } = await import('./held-lines.js');
        const held = await withDatabase(context, 'import', (dataSource) => findHeld(dataSource, id));
        const lines = [...waitingLines(held.waiting), ...findingLines(held.findings)];
        return { json: held, text: [tableOf([held], context.now()), ...lines] };
      },
    }),
    action<AcceptOptions, [number]>({
      name: 'accept',
      about: 'publishes what is held nevertheless; its order among the vintages is judged again',
      examples: [
        'tidemark deliveries accept 3 --series "gdp-growth JP" --reason "confirmed by the publisher"',
        'tidemark deliveries accept 4 --without "gdp-growth JP"',
      ],
      arguments: [NUMBER],
      options: [
        WHY,
        SERIES,
        ['--without <series...>', 'series, LEIs or CIKs to leave as they are, such as "gdp-growth JP"'],
        ['--backfill', 'accept it although a newer vintage is stored; it makes no changes'],
        ['--replace', 'accept different figures of a stored vintage; changes are corrected or withdrawn'],
      ],
      run: async (context, options, id) => {
        const { acceptHeld } = await import('./accept-held.js');
        const { reportLines, sumLines } = await import('./report-lines.js');
        const reports = await acceptHeld(context, id, options);
        return { json: { reports }, text: [...reports.flatMap(reportLines), ...sumLines(reports)] };
      },
    }),
    action<DecisionOptions, [number]>({
      name: 'drop',
      about: 'forgets what waits of a delivery: nothing of it is published',
      examples: [
        'tidemark deliveries drop 3 --reason "a wrong file" --yes',
        'tidemark deliveries drop 3 --series "gdp-growth JP" --yes',
      ],
      arguments: [NUMBER],
      options: [WHY, SERIES],
      confirm: (_, id) => `Dropping the held delivery ${id} deletes its content`,
      run: async (context, options, id) => {
        const { dropHeld } = await import('./accept-held.js');
        const held = await dropHeld(context, id, options);
        const { series = null } = options;
        return { json: { dropped: held.id, series }, text: `${held.id} dropped: ${series?.join(', ') ?? held.name}` };
      },
    }),
    action({
      name: 'exceptions',
      about: 'lists figures that fail a check and were accepted: they pass while the publisher repeats them',
      examples: ['tidemark deliveries exceptions --json'],
      run: async (context) => {
        const { listExceptions } = await import('../../publish/audit/exceptions.js');
        const exceptions = await withDatabase(context, 'import', listExceptions);
        return { json: { exceptions }, text: [exceptionsTable(exceptions)] };
      },
    }),
  ],
};

function tableOf(all: readonly HeldDelivery[], now: Date): PrintedTable {
  return {
    columns: [toRight('number'), 'held', 'publisher', 'vintage', 'waits', 'state', 'checks', 'delivery'],
    rows: all.map((held) => {
      const { id, heldAt, publisher, vintage, name, findings, decidedBy, publishedWith, waiting } = held;
      const checks = [...new Set(findings.map(({ check }) => check))].join(', ');
      const state = `${held.state}${decidedBy === null ? '' : ` by ${decidedBy}`}`;
      const what = publishedWith === null ? 'all' : countOfWaiting(waiting);
      return [String(id), timeAgo(heldAt, now), publisher, vintage, what, state, checks, name];
    }),
    empty: 'Nothing is held',
  };
}

const exceptionsTable = (exceptions: readonly AuditException[]): PrintedTable => ({
  columns: ['series', 'period', 'figure', 'check', toRight('version'), 'accepted by'],
  rows: exceptions.map(({ series, period, value, check, dataVersion, reason }) => [
    series,
    period,
    value ?? 'none',
    check,
    String(dataVersion),
    reason,
  ]),
  empty: 'Nothing was accepted that fails a check',
});
