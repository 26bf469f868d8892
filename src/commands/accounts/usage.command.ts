import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import type { DataSource } from 'typeorm';
import { withAccount } from './access-context.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';
import { UsageError, withDatabase, type CommandContext } from '../context/command-context.js';
import { PLAN_TERMS, type Plan } from '../../domain/plans/plans.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { showTable } from '../terminal/show-table.js';
import type { Column } from '../terminal/table.js';
import type { DailyUsage } from '../../serve/limits/daily-usage.entity.js';
import { printJson } from '../terminal/print-json.js';

interface Options {
  readonly account?: string;
  readonly day?: string;
  readonly days?: string;
  readonly limit?: string;
}

type AccountRow = Pick<Account, 'email' | 'plan' | 'status'>;
type UsedRow = Pick<DailyUsage, 'admitted'>;

/** What an account used of its plan on a UTC day. */
interface Used {
  readonly admitted: number;
  readonly limit: number;
  /** As a share of the limit; above 1 after a downgrade. */
  readonly share: number;
}

/** $1 the account, $2 today, $3 how many days */
const ONE = `
  SELECT d.day::date AS day, coalesce(u.admitted, 0) AS admitted
  FROM generate_series($2::date - ($3::int - 1), $2::date, interval '1 day') AS d (day)
  LEFT JOIN daily_usage u ON u.account_id = $1 AND u.day = d.day::date
  ORDER BY d.day DESC`;

/** $1 the day, $2 how many accounts */
const OF_DAY = `
  SELECT a.email, a.plan, a.status, u.admitted
  FROM operator_usage($1, $1) u JOIN operator_accounts() a ON a.id = u.account_id
  WHERE u.admitted > 0 ORDER BY u.admitted DESC, a.email LIMIT $2`;

/** $1 today, $2 how many days, $3 the day limit of each plan, as JSON */
const ROLL_UP = `
  SELECT d.day::date AS day, count(u.account_id)::int AS accounts, coalesce(sum(u.admitted), 0)::bigint AS admitted,
         count(*) FILTER (WHERE u.admitted >= ($3::jsonb ->> a.plan)::int)::int AS "atLimit"
  FROM generate_series($1::date - ($2::int - 1), $1::date, interval '1 day') AS d (day)
  LEFT JOIN (operator_usage($1::date - ($2::int - 1), $1::date) u
    JOIN operator_accounts() a ON a.id = u.account_id) ON u.day = d.day::date AND u.admitted > 0
  GROUP BY d.day ORDER BY d.day DESC`;

/** The columns of `cellsOf`. */
const USED: readonly Column[] = [right('admitted'), right('limit'), right('share')];

const LIMITS = JSON.stringify(
  Object.fromEntries(Object.entries(PLAN_TERMS).map(([plan, { perDay }]) => [plan, perDay])),
);

/** `tidemark usage`: admitted requests by UTC day, as the instances recorded them. */
export function usageCommand(context: CommandContext): Command {
  return addExamples(new Command('usage'), [
    'tidemark usage --days 7',
    'tidemark usage --account ada@example.com',
    'tidemark usage --day 2026-11-20 --limit 10',
  ])
    .description(
      'admitted requests by UTC day: of all accounts together, of one account, or of one day by account',
    )
    .option('--account <email>', 'the days of one account, compared with the limit of its current plan')
    .option('--day <day>', 'the accounts of one day, YYYY-MM-DD, busiest first')
    .option('--days <count>', 'number of days, newest first: 1 to 400, 30 by default')
    .option('--limit <count>', 'with --day, number of accounts: 1 to 10000, 50 by default')
    .addHelpText(
      'after',
      '\nInstances write what they admit at least each second. Refused requests are counted in the metrics.',
    )
    .action(async (options: Options) => {
      refuseMixed(options);
      const today = context.now().toISOString().slice(0, 10);
      const days = parsedCount('--days', options.days ?? '30', [1, 400]);
      const most = parsedCount('--limit', options.limit ?? '50', [1, 10_000]);
      const { account, day } = options;
      const shownDay = day === undefined ? null : dayOf(day, today);
      await withDatabase(context, 'account', async (database) => {
        if (account !== undefined) await showAccount(context, database, { email: account, today, days });
        else if (shownDay !== null) await showDay(context, database, shownDay, most);
        else await showAll(context, database, today, days);
      });
    });
}

function refuseMixed({ account, day, days, limit }: Options): void {
  if (account !== undefined && day !== undefined) {
    throw new UsageError('--account, --day: use one of the two; --account lists every day of the account');
  }
  if (day !== undefined && days !== undefined)
    throw new UsageError('--days: not with --day, which is one day');
  if (day === undefined && limit !== undefined) throw new UsageError('--limit: only with --day');
}

function dayOf(text: string, today: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDay || new Date(text).toISOString().slice(0, 10) !== text) {
    throw new UsageError(`--day: '${text}' is not a day such as ${today}`);
  }
  if (text > today) throw new UsageError(`--day: ${text} lies in the future`);
  return text;
}

async function showAccount(
  context: CommandContext,
  database: DataSource,
  { email, today, days }: { readonly email: string; readonly today: string; readonly days: number },
): Promise<void> {
  const { Account: accounts } = await import('../../serve/access/accounts/account.entity.js');
  const { account, rows } = await withAccount(database, email, async (manager, id) => ({
    account: await manager.findOneByOrFail(accounts, { id }),
    rows: await manager.query<Pick<DailyUsage, 'admitted' | 'day'>[]>(ONE, [id, today, days]),
  }));
  const { plan, status } = account;
  const known: AccountRow = { email: account.email, plan, status };
  const used = rows.map(({ day, admitted }) => ({ day, ...usedOf(admitted, known.plan) }));
  if (context.json) printJson(context, { account: known, days: used });
  else {
    context.out(`${known.email}: ${known.plan}, ${known.status}`);
    const rows = used.filter((one) => one.admitted > 0).map(({ day, ...one }) => [day, ...cellsOf(one)]);
    await showDays(context, ['day', ...USED], rows, days);
  }
}

async function showDay(
  context: CommandContext,
  database: DataSource,
  day: string,
  most: number,
): Promise<void> {
  const rows = await database.query<(UsedRow & AccountRow)[]>(OF_DAY, [day, most]);
  const accounts = rows.map(({ admitted, ...account }) => ({
    ...account,
    ...usedOf(admitted, account.plan),
  }));
  if (context.json) printJson(context, { day, accounts });
  else if (accounts.length === 0) context.out(`No request was admitted on ${day}`);
  else {
    const cells = accounts.map((one) => [one.email, one.plan, one.status, ...cellsOf(one)]);
    await showTable(context, ['account', 'plan', 'status', ...USED], cells);
  }
}

async function showAll(
  context: CommandContext,
  database: DataSource,
  today: string,
  days: number,
): Promise<void> {
  const rows = await database.query<
    { readonly day: string; readonly accounts: number; readonly admitted: number; readonly atLimit: number }[]
  >(ROLL_UP, [today, days, LIMITS]);
  if (context.json) {
    printJson(context, { days: rows });
    return;
  }
  const cells = rows
    .filter(({ admitted }) => admitted > 0)
    .map(({ day, ...counts }) => [
      day,
      ...[counts.admitted, counts.accounts, counts.atLimit].map((count) => grouped(count)),
    ]);
  const columns = ['day', right('admitted'), right('accounts'), right('at the limit')];
  await showDays(context, columns, cells, days);
}

/** Days without requests are left out. */
async function showDays(
  context: CommandContext,
  columns: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  days: number,
): Promise<void> {
  if (rows.length > 0) await showTable(context, columns, rows);
  else context.out(`No request was admitted in the last ${days} days`);
}

function right(heading: string): Column {
  return { heading, align: 'right' };
}

function usedOf(admitted: number, plan: Plan): Used {
  const limit = PLAN_TERMS[plan].perDay;
  return { admitted, limit, share: Math.round((admitted / limit) * 10_000) / 10_000 };
}

function cellsOf({ admitted, limit, share }: Used): string[] {
  return [grouped(admitted), grouped(limit), `${(share * 100).toFixed(1)} %`];
}

function grouped(number: number): string {
  return number.toLocaleString('en');
}
