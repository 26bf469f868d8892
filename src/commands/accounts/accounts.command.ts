import {
  ACCOUNT,
  action,
  count,
  type CommandData,
  type OfAccount,
  type Runless,
  type CommandOutput,
} from '../terminal/command.js';
import { UsageError } from '../context/command-context.js';
import { PLAN_TERMS, PLANS, type Plan } from '../../domain/plans/plans.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { Access } from '../../serve/access/accounts/access.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';

const RATES = PLANS.map((plan) => `${plan} ${String(PLAN_TERMS[plan].perMinute)}`).join(', ');
const PLAN = ['--plan <plan>', `its plan; requests a minute: ${RATES}`, { choices: PLANS, required: true }] as const;

/** A command that changes an account and shows it. */
const change = <Options extends OfAccount>(
  fields: Runless<Options>,
  work: (access: Access, options: Options, now: Date) => Promise<Account>,
) =>
  action<Options, [], AccessContext>({
    ...fields,
    options: [ACCOUNT, ...(fields.options ?? [])],
    run: async (context, options) =>
      listed([await withAccess(context, (access) => work(access, options, context.now()))], context.now()),
  });

/** `tidemark accounts …`. */
export const accounts: CommandData = {
  name: 'accounts',
  about: 'manage accounts, their plans and their status',
  commands: [
    change<OfAccount & { plan: Plan; signedUp?: string }>(
      {
        name: 'create',
        about: 'makes an account',
        examples: ['tidemark accounts create --account ada@example.com --plan developer'],
        options: [PLAN, ['--signed-up <time>', 'time of sign-up, RFC 3339; now by default']],
      },
      async (access, { account: email, plan, signedUp }, now) =>
        access.createAccount({ email, plan, signedUpAt: timeOf(signedUp, now) }),
    ),
    change<OfAccount & { plan: Plan }>(
      {
        name: 'set-plan',
        about: 'changes the plan of an account, on every instance within a second',
        examples: ['tidemark accounts set-plan --account ada@example.com --plan developer'],
        options: [PLAN],
      },
      (access, { account, plan }) => access.setPlan(account, plan),
    ),
    change(
      {
        name: 'suspend',
        about: 'refuses all keys of an account, on every instance within a second',
        examples: ['tidemark accounts suspend --account ada@example.com --yes'],
        confirm: ({ account }) => `Suspending ${account} refuses all of its keys at once`,
      },
      (access, { account }) => access.setStatus(account, 'suspended'),
    ),
    change(
      {
        name: 'resume',
        about: 'lets a suspended account in again',
        examples: ['tidemark accounts resume --account ada@example.com'],
      },
      (access, { account }) => access.setStatus(account, 'active'),
    ),
    action<OfAccount & { events: number }, [], AccessContext>({
      name: 'show',
      about: 'shows an account as its page does: plan, keys, sessions and the last changes of it',
      examples: ['tidemark accounts show --account ada@example.com --events 50'],
      options: [
        ACCOUNT,
        [
          '--events <count>',
          'number of changes, newest first: 0 to 1000',
          { default: 20, parse: count('--events', 0, 1_000) },
        ],
      ],
      run: async (context, { account, events }) =>
        (await import('./show-account.js')).showAccount(context, account, events),
    }),
    action<object, [], AccessContext>({
      name: 'list',
      about: 'lists all accounts, oldest first',
      examples: ['tidemark accounts list --json'],
      run: async (context) => listed(await withAccess(context, (access) => access.listAccounts()), context.now()),
    }),
  ],
};

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

function listed(all: readonly Account[], now: Date): CommandOutput {
  const rows = all.map(({ email, plan, status, signedUpAt }) => [email, plan, status, timeAgo(signedUpAt, now)]);
  const columns = ['account', 'plan', 'status', 'signed up'];
  return { json: { accounts: all }, text: [{ columns, rows, empty: 'There are no accounts' }] };
}
