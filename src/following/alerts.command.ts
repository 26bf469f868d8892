import { Command, Option } from 'commander';
import { withAccess, type AccessContext } from '../access/access-context.js';
import { withDatabase, type CommandContext } from '../process/command-context.js';
import { ALERT_METRICS, type AlertMetric } from './alert-conditions.js';
import { Alerts, type StoredAlert } from './alerts.js';
import { ofAccount, withTarget } from './follow.command.js';
import type { TargetType } from './targets.js';

interface Options {
  readonly account: string;
}

interface Wanted extends Options {
  readonly name?: string;
  readonly metric: AlertMetric;
  readonly threshold?: string;
}

/** `tidemark alerts …`. */
export function alertsCommand(context: AccessContext): Command {
  const alerts = new Command('alerts').description('manage the alerts of an account');
  const run = (work: (alerts: Alerts) => Promise<StoredAlert[]>) =>
    withAccess(context, (access) =>
      withDatabase(context, 'api', (database) => work(new Alerts(database, access, () => context.now()))),
    ).then((rows) => show(context, rows));
  const onOne = (
    name: string,
    description: string,
    work: (of: Alerts, email: string, id: string) => Promise<StoredAlert>,
  ) =>
    ofAccount(alerts.command(name))
      .description(description)
      .argument('<id>', 'alr_…, as `alerts list` shows it')
      .action((id: string, { account }: Options) => run(async (of) => [await work(of, account, id)]));

  withTarget(ofAccount(alerts.command('add')))
    .description('sets an alert; later publications fire it')
    .addOption(new Option('--metric <metric>', 'when it fires').choices(ALERT_METRICS).default('any_change'))
    .option('--threshold <number>', "in the target's unit; percent for move_percent")
    .option('--name <name>', 'its name; the target by default')
    .addHelpText(
      'after',
      '\nvalue_above, value_below and move_percent take an instrument or a series such as cpi-inflation@JP.',
    )
    .action((type: TargetType, key: string, { account, ...wanted }: Wanted) =>
      run(async (of) => [await of.add(account, { ...wanted, type, key })]),
    );
  onOne('remove', 'takes an alert away, with all it has said', (of, email, id) => of.remove(email, id));
  onOne('pause', 'lets an alert rest', (of, email, id) => of.pause(email, id));
  onOne('resume', 'wakes an alert; what was published meanwhile is passed over', (of, email, id) =>
    of.resume(email, id),
  );
  ofAccount(alerts.command('list'))
    .description('lists the alerts of an account, newest first')
    .action(({ account }: Options) => run((of) => of.list(account)));
  return alerts;
}

function show(context: CommandContext, alerts: readonly StoredAlert[]): void {
  if (context.json) {
    const shown = alerts.map(({ type, key, metric, threshold, ...alert }) => ({
      ...alert,
      target: { type, key },
      condition: { metric, threshold: threshold === null ? null : Number(threshold) },
    }));
    context.out(JSON.stringify({ alerts: shown }));
    return;
  }
  if (alerts.length === 0) context.out('The account has no alerts');
  for (const { id, name, type, key, metric, threshold, state, lastTriggeredAt } of alerts) {
    const condition = threshold === null ? metric : `${metric} ${threshold}`;
    const last = lastTriggeredAt === null ? 'never fired' : `fired ${lastTriggeredAt.toISOString()}`;
    context.out(`${id}  ${state}  ${type} ${key}  ${condition}  ${last}  ${name}`);
  }
}
