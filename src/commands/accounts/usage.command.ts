import { action, count, toRight, type CommandData, type CommandOutput } from '../terminal/command.js';
import type { DataSource } from 'typeorm';
import { withAccount } from './access-context.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';
import { UsageError, withDatabase } from '../context/command-context.js';
import { dayOf, isDay } from '../../domain/figures/periods.js';
import { PLAN_TERMS, type Plan } from '../../domain/plans/plans.js';
import type { Column } from '../terminal/table.js';
import type { DailyUsage } from '../../serve/limits/usage.entity.js';

interface Options {
  readonly account?: string;
  readonly day?: string;
  readonly days?: number;
  readonly limit?: number;
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
const USED: readonly Column[] = [toRight('admitted'), toRight('limit'), toRight('share')];

const LIMITS = JSON.stringify(
  Object.fromEntries(Object.entries(PLAN_TERMS).map(([plan, { perDay }]) => [plan, perDay])),
);

/** `tidemark usage`: admitted requests by UTC day, as the instances recorded them. */
export const usage: CommandData = action<Options>({
  name: 'usage',
  about: 'admitted requests by UTC day: of all accounts together, of one account, or of one day by account',
  examples: [
    'tidemark usage --days 7',
    'tidemark usage --account ada@example.com',
    'tidemark usage --day 2026-11-20 --limit 10',
  ],
  options: [
    ['--account <email>', 'the days of one account, compared with the limit of its current plan'],
    ['--day <day>', 'the accounts of one day, YYYY-MM-DD, busiest first'],
    ['--days <count>', 'number of days, newest first: 1 to 400, 30 by default', { parse: count('--days', 1, 400) }],
    [
      '--limit <count>',
      'with --day, number of accounts: 1 to 10000, 50 by default',
      { parse: count('--limit', 1, 10_000) },
    ],
  ],
  notes: 'Instances write what they admit at least each second. Refused requests are counted in the metrics.',
  run: async (context, options) => {
    refuseMixed(options);
    const today = dayOf(context.now());
    const { account, day, days = 30, limit = 50 } = options;
    const shownDay = day === undefined ? null : pastDay(day, today);
    return withDatabase(context, 'account', (database) => {
      if (account !== undefined) return usageOfAccount(database, { email: account, today, days });
      return shownDay === null ? usageOfAll(database, today, days) : usageOfDay(database, shownDay, limit);
    });
  },
});

function refuseMixed({ account, day, days, limit }: Options): void {
  if (account !== undefined && day !== undefined) {
    throw new UsageError('--account, --day: use one of the two; --account lists every day of the account');
  }
  if (day !== undefined && days !== undefined) throw new UsageError('--days: not with --day, which is one day');
  if (day === undefined && limit !== undefined) throw new UsageError('--limit: only with --day');
}

function pastDay(text: string, today: string): string {
  if (!isDay(text)) throw new UsageError(`--day: '${text}' is not a day such as ${today}`);
  if (text > today) throw new UsageError(`--day: ${text} lies in the future`);
  return text;
}

async function usageOfAccount(
  database: DataSource,
  { email, today, days }: { readonly email: string; readonly today: string; readonly days: number },
): Promise<CommandOutput> {
  const { Account: accounts } = await import('../../serve/access/accounts/account.entity.js');
  const { account, rows } = await withAccount(database, email, async (manager, id) => ({
    account: await manager.findOneByOrFail(accounts, { id }),
    rows: await manager.query<Pick<DailyUsage, 'admitted' | 'day'>[]>(ONE, [id, today, days]),
  }));
  const { plan, status } = account;
  const used = rows.map(({ day, admitted }) => ({ day, ...usedOf(admitted, plan) }));
  const cells = used.filter((one) => one.admitted > 0).map(({ day, ...one }) => [day, ...cellsOf(one)]);
  return {
    json: { account: { email: account.email, plan, status }, days: used },
    text: [`${account.email}: ${plan}, ${status}`, tableOfDays(['day', ...USED], cells, days)],
  };
}

async function usageOfDay(database: DataSource, day: string, most: number): Promise<CommandOutput> {
  const rows = await database.query<(UsedRow & AccountRow)[]>(OF_DAY, [day, most]);
  const used = rows.map(({ admitted, ...account }) => ({ ...account, ...usedOf(admitted, account.plan) }));
  const cells = used.map((one) => [one.email, one.plan, one.status, ...cellsOf(one)]);
  const columns = ['account', 'plan', 'status', ...USED];
  return {
    json: { day, accounts: used },
    text: [{ columns, rows: cells, empty: `No request was admitted on ${day}` }],
  };
}

async function usageOfAll(database: DataSource, today: string, days: number): Promise<CommandOutput> {
  const rows = await database.query<
    { readonly day: string; readonly accounts: number; readonly admitted: number; readonly atLimit: number }[]
  >(ROLL_UP, [today, days, LIMITS]);
  const cells = rows
    .filter(({ admitted }) => admitted > 0)
    .map(({ day, admitted, accounts, atLimit }) => [day, ...[admitted, accounts, atLimit].map(grouped)]);
  const columns = ['day', toRight('admitted'), toRight('accounts'), toRight('at the limit')];
  return { json: { days: rows }, text: [tableOfDays(columns, cells, days)] };
}

/** Days without requests are left out. */
const tableOfDays = (columns: readonly (string | Column)[], rows: readonly string[][], days: number) => ({
  columns,
  rows,
  empty: `No request was admitted in the last ${days} days`,
});

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
