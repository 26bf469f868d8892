import { Command, Option } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { withAccess, type AccessContext } from './access-context.js';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { showTable } from '../terminal/show-table.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { timeAgo } from '../terminal/time-ago.js';
import { ALERT_METRICS, type AlertMetric } from '../../serve/following/alert-metrics.js';
import type { Alerts, StoredAlert } from '../../serve/following/alerts.js';
import { ofAccount, withTarget } from './follow.command.js';
import type { TargetType } from '../../serve/following/targets.js';
import { printJson } from '../terminal/print-json.js';

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
    withAccess(context, async (access) => {
      const { Alerts } = await import('../../serve/following/alerts.js');
      return withDatabase(context, 'api', (database) =>
        work(new Alerts(database, access, () => context.now())),
      );
    }).then((rows) => show(context, rows));
  const example = (rest: string): [string] => [`tidemark alerts ${rest} --account ada@example.com`];
  const onOne = (
    name: string,
    description: string,
    work: (of: Alerts, email: string, id: string) => Promise<StoredAlert>,
  ) =>
    addExamples(ofAccount(alerts.command(name)), example(`${name} alr_…`))
      .description(description)
      .argument('<id>', 'alr_…, as `alerts list` shows it')
      .action((id: string, { account }: Options) => run(async (of) => [await work(of, account, id)]));

  addExamples(
    withTarget(ofAccount(alerts.command('create'))),
    example('create instrument eurusd --metric value_above --threshold 1.2'),
  )
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
  addExamples(withYes(ofAccount(alerts.command('delete'))), example('delete alr_… --yes'))
    .description('deletes an alert and its notifications')
    .argument('<id>', 'alr_…, as `alerts list` shows it')
    .action(async (id: string, { account, ...options }: Options & Yes) => {
      await requireYes(context, options, `Deleting ${id} deletes its notifications too`);
      await run(async (of) => [await of.remove(account, id)]);
    });
  onOne('pause', 'lets an alert rest', (of, email, id) => of.pause(email, id));
  onOne('resume', 'wakes an alert; what was published meanwhile is passed over', (of, email, id) =>
    of.resume(email, id),
  );
  addExamples(ofAccount(alerts.command('list')), example('list'))
    .description('lists the alerts of an account, newest first')
    .action(({ account }: Options) => run((of) => of.list(account)));
  return alerts;
}

async function show(context: CommandContext, alerts: readonly StoredAlert[]): Promise<void> {
  if (context.json) {
    const shown = alerts.map(({ type, key, metric, threshold, ...alert }) => ({
      ...alert,
      target: { type, key },
      condition: { metric, threshold: threshold === null ? null : Number(threshold) },
    }));
    printJson(context, { alerts: shown });
    return;
  }
  if (alerts.length === 0) {
    context.out('The account has no alerts');
    return;
  }
  const now = context.now();
  const rows = alerts.map(({ id, name, type, key, metric, threshold, state, lastTriggeredAt }) => {
    const condition = threshold === null ? metric : `${metric} ${threshold}`;
    const fired = lastTriggeredAt === null ? 'never' : timeAgo(lastTriggeredAt, now);
    return [id, state, `${type} ${key}`, condition, fired, name];
  });
  await showTable(context, ['id', 'state', 'target', 'condition', 'fired', 'name'], rows);
}
