import { Command, Option } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { UsageError, type CommandContext } from '../context/command-context.js';
import { PLANS, type Plan } from '../../domain/plans/plans.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { Access } from '../../serve/access/accounts/access.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { showTable } from '../terminal/show-table.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';
import { printJson } from '../terminal/print-json.js';

interface Options {
  readonly account: string;
}

/** `tidemark accounts …`. */
export function accountsCommand(context: AccessContext): Command {
  const accounts = new Command('accounts').description('manage accounts, their plans and their status');
  const named = (name: string, description: string) =>
    accounts
      .command(name)
      .description(description)
      .requiredOption('--account <email>', "the account's e-mail address");
  const plan = () => new Option('--plan <plan>', 'its plan').choices(PLANS).makeOptionMandatory();
  const change = async (work: (access: Access) => Promise<Account>) => {
    await show(context, [await withAccess(context, work)]);
  };

  const withExample = (command: Command, line: string) => addExamples(command, [line]);

  withExample(
    named('create', 'makes an account'),
    'tidemark accounts create --account ada@example.com --plan pro',
  )
    .addOption(plan())
    .option('--signed-up <time>', 'time of sign-up, RFC 3339; now by default')
    .action(async (options: Options & { plan: Plan; signedUp?: string }) => {
      const signedUpAt = timeOf(options.signedUp, context.now());
      await change((access) =>
        access.createAccount({ email: options.account, plan: options.plan, signedUpAt }),
      );
    });
  withExample(
    named('set-plan', 'changes the plan of an account, on every instance within a second'),
    'tidemark accounts set-plan --account ada@example.com --plan developer',
  )
    .addOption(plan())
    .action(({ account, plan: to }: Options & { plan: Plan }) =>
      change((access) => access.setPlan(account, to)),
    );
  withExample(
    withYes(named('suspend', 'refuses all keys of an account, on every instance within a second')),
    'tidemark accounts suspend --account ada@example.com --yes',
  ).action(async ({ account, ...options }: Options & Yes) => {
    await requireYes(context, options, `Suspending ${account} refuses all of its keys at once`);
    await change((access) => access.setStatus(account, 'suspended'));
  });
  withExample(
    named('resume', 'lets a suspended account in again'),
    'tidemark accounts resume --account ada@example.com',
  ).action(({ account }: Options) => change((access) => access.setStatus(account, 'active')));
  withExample(
    named('show', 'shows an account as its page does: plan, keys, sessions and the last changes of it'),
    'tidemark accounts show --account ada@example.com --events 50',
  )
    .option('--events <count>', 'number of changes, newest first: 0 to 1000', '20')
    .action(async ({ account, events }: Options & { events: string }) => {
      const { showAccount } = await import('./show-account.js');
      await showAccount(context, account, parsedCount('--events', events, [0, 1_000]));
    });
  withExample(accounts.command('list'), 'tidemark accounts list --json')
    .description('lists all accounts, oldest first')
    .action(async () => {
      await show(context, await withAccess(context, (access) => access.listAccounts()));
    });
  return accounts;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function timeOf(text: string | undefined, now: Date): Date {
  if (text === undefined) return now;
  const time = new Date(text);
  if (!RFC_3339.test(text) || Number.isNaN(time.getTime())) {
    throw new UsageError(`--signed-up: '${text}' is not a time such as 2026-07-01T09:00:00Z`);
  }
  if (time > now) throw new UsageError(`--signed-up: ${text} lies in the future`);
  return time;
}

async function show(context: CommandContext, accounts: readonly Account[]): Promise<void> {
  if (context.json) printJson(context, { accounts });
  else if (accounts.length === 0) context.out('There are no accounts');
  else {
    const now = context.now();
    const rows = accounts.map(({ email, plan, status, signedUpAt }) => {
      return [email, plan, status, timeAgo(signedUpAt, now)];
    });
    await showTable(context, ['account', 'plan', 'status', 'signed up'], rows);
  }
}
