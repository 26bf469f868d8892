import { Argument, Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { withAccess, type AccessContext } from './access-context.js';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { showTable } from '../terminal/show-table.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { FollowEntity } from '../../serve/following/follow.entity.js';
import type { Follows } from '../../serve/following/follows.js';
import { TARGET_TYPES, type TargetType } from '../../serve/following/targets.js';
import { printJson } from '../terminal/print-json.js';

interface Options {
  readonly account: string;
}

/** `tidemark follows …`. */
export function followsCommand(context: AccessContext): Command {
  const group = new Command('follows').description('manage the targets that an account follows');
  const run = (work: (follows: Follows) => Promise<FollowEntity[]>) =>
    withAccess(context, async (access) => {
      const { Follows } = await import('../../serve/following/follows.js');
      return withDatabase(context, 'api', (database) =>
        work(new Follows(database, access, () => context.now())),
      );
    }).then((follows) => show(context, follows));

  const example = (rest: string): [string] => [`tidemark follows ${rest} --account ada@example.com`];

  addExamples(withTarget(ofAccount(group.command('add'))), example('add series cpi-inflation@JP'))
    .description('follows a target')
    .action((type: TargetType, key: string, { account }: Options) =>
      run(async (follows) => [await follows.add(account, type, key)]),
    );
  addExamples(withYes(withTarget(ofAccount(group.command('remove')))), example('remove country JP --yes'))
    .description('stops following a target')
    .action(async (type: TargetType, key: string, { account, ...options }: Options & Yes) => {
      await requireYes(context, options, `${account} will no longer follow ${type} ${key}`);
      await run(async (follows) => [await follows.remove(account, type, key)]);
    });
  addExamples(ofAccount(group.command('list')), example('list'))
    .description('lists the targets that an account follows, newest first')
    .action(({ account }: Options) => run((follows) => follows.list(account)));
  return group;
}

export function ofAccount(command: Command): Command {
  return command.requiredOption('--account <email>', "the account's e-mail address");
}

export function withTarget(command: Command): Command {
  return command
    .addArgument(new Argument('<type>', 'what it is').choices(TARGET_TYPES))
    .argument('<key>', 'slug, key, id or code; for a series indicator@region');
}

async function show(context: CommandContext, follows: readonly FollowEntity[]): Promise<void> {
  if (context.json) {
    const shown = follows.map(({ id, type, key, since }) => ({ id, target: { type, key }, since }));
    printJson(context, { follows: shown });
    return;
  }
  if (follows.length === 0) {
    context.out('The account follows nothing');
    return;
  }
  const now = context.now();
  const rows = follows.map(({ id, type, key, since }) => [id, type, key, timeAgo(since, now)]);
  await showTable(context, ['id', 'type', 'key', 'since'], rows);
}
