import {
  ACCOUNT,
  action,
  type CommandData,
  type OfAccount,
  type Parameter,
  type Runless,
  type CommandOutput,
} from '../terminal/command.js';
import { withAccess, type AccessContext } from './access-context.js';
import { withDatabase } from '../context/command-context.js';
import { timeAgo } from '../terminal/time-ago.js';
import { ALERT_METRICS, type AlertMetric } from '../../serve/following/alert-metrics.js';
import type { Alerts, StoredAlert } from '../../serve/following/alerts.js';
import { TARGET } from './follow.command.js';
import type { TargetType } from '../../serve/following/targets.js';

interface Wanted extends OfAccount {
  readonly name?: string;
  readonly metric: AlertMetric;
  readonly threshold?: string;
}

const ID: Parameter = ['<id>', 'alr_…, as `alerts list` shows it'];

const alert = <Options extends OfAccount, Given extends unknown[]>(
  fields: Runless<Options, Given>,
  work: (alerts: Alerts, options: Options, ...given: Given) => Promise<StoredAlert[]>,
) =>
  action<Options, Given, AccessContext>({
    ...fields,
    options: [ACCOUNT, ...(fields.options ?? [])],
    run: (context, options, ...given) =>
      withAccess(context, async (access) => {
        const { Alerts } = await import('../../serve/following/alerts.js');
        const now = () => context.now();
        return withDatabase(context, 'api', async (database) =>
          listed(await work(new Alerts(database, access, now), options, ...given), now()),
        );
      }),
  });

/** `tidemark alerts …`. */
export const alerts: CommandData = {
  name: 'alerts',
  about: 'manage the alerts of an account',
  commands: [
    alert<Wanted, [TargetType, string]>(
      {
        name: 'create',
        about: 'sets an alert; later publications fire it',
        examples: [
          'tidemark alerts create instrument eurusd --metric value_above --threshold 1.2 --account ada@example.com',
        ],
        arguments: TARGET,
        options: [
          ['--metric <metric>', 'when it fires', { choices: ALERT_METRICS, default: 'any_change' }],
          ['--threshold <number>', "in the target's unit; percent for move_percent"],
          ['--name <name>', 'its name; the target by default'],
        ],
        notes: 'value_above, value_below and move_percent take an instrument or a series such as cpi-inflation@JP.',
      },
      async (of, { account, ...wanted }, type, key) => [await of.add(account, { ...wanted, type, key })],
    ),
    alert<OfAccount, [string]>(
      {
        name: 'delete',
        about: 'deletes an alert and its notifications',
        examples: ['tidemark alerts delete alr_… --yes --account ada@example.com'],
        arguments: [ID],
        confirm: (_, id) => `Deleting ${id} deletes its notifications too`,
      },
      async (of, { account }, id) => [await of.remove(account, id)],
    ),
    alert<OfAccount, [string]>(
      {
        name: 'pause',
        about: 'lets an alert rest',
        examples: ['tidemark alerts pause alr_… --account ada@example.com'],
        arguments: [ID],
      },
      async (of, { account }, id) => [await of.pause(account, id)],
    ),
    alert<OfAccount, [string]>(
      {
        name: 'resume',
        about: 'wakes an alert; what was published meanwhile is passed over',
        examples: ['tidemark alerts resume alr_… --account ada@example.com'],
        arguments: [ID],
      },
      async (of, { account }, id) => [await of.resume(account, id)],
    ),
    alert<OfAccount, []>(
      {
        name: 'list',
        about: 'lists the alerts of an account, newest first',
        examples: ['tidemark alerts list --account ada@example.com'],
      },
      (of, { account }) => of.list(account),
    ),
  ],
};

function listed(all: readonly StoredAlert[], now: Date): CommandOutput {
  const json = all.map(({ type, key, metric, threshold, ...one }) => ({
    ...one,
    target: { type, key },
    condition: { metric, threshold: threshold === null ? null : Number(threshold) },
  }));
  const rows = all.map(({ id, name, type, key, metric, threshold, state, lastTriggeredAt }) => {
    const condition = threshold === null ? metric : `${metric} ${threshold}`;
    const fired = lastTriggeredAt === null ? 'never' : timeAgo(lastTriggeredAt, now);
    return [id, state, `${type} ${key}`, condition, fired, name];
  });
  const columns = ['id', 'state', 'target', 'condition', 'fired', 'name'];
  return { json: { alerts: json }, text: [{ columns, rows, empty: 'The account has no alerts' }] };
}
