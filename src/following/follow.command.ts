import { Argument, Command } from 'commander';
import { withAccess, type AccessContext } from '../access/access-context.js';
import { withDatabase, type CommandContext } from '../process/command-context.js';
import type { FollowEntity } from './follow.entity.js';
import { Follows } from './follows.js';
import { TARGET_TYPES, type TargetType } from './targets.js';

interface Options {
  readonly account: string;
}

/** `tidemark follow …`. */
export function followCommand(context: AccessContext): Command {
  const follow = new Command('follow').description('manage the targets that an account follows');
  const run = (work: (follows: Follows) => Promise<FollowEntity[]>) =>
    withAccess(context, (access) =>
      withDatabase(context, 'api', (database) => work(new Follows(database, access, () => context.now()))),
    ).then((follows) => show(context, follows));

  withTarget(ofAccount(follow.command('add')))
    .description('follows a target')
    .action((type: TargetType, key: string, { account }: Options) =>
      run(async (follows) => [await follows.add(account, type, key)]),
    );
  withTarget(ofAccount(follow.command('remove')))
    .description('stops following a target')
    .action((type: TargetType, key: string, { account }: Options) =>
      run(async (follows) => [await follows.remove(account, type, key)]),
    );
  ofAccount(follow.command('list'))
    .description('lists the targets that an account follows, newest first')
    .action(({ account }: Options) => run((follows) => follows.list(account)));
  return follow;
}

export function ofAccount(command: Command): Command {
  return command.requiredOption('--account <email>', "the account's e-mail address");
}

export function withTarget(command: Command): Command {
  return command
    .addArgument(new Argument('<type>', 'what it is').choices(TARGET_TYPES))
    .argument('<key>', 'slug, key, id or code; for a series indicator@region');
}

function show(context: CommandContext, follows: readonly FollowEntity[]): void {
  if (context.json) {
    const shown = follows.map(({ id, type, key, since }) => ({ id, target: { type, key }, since }));
    context.out(JSON.stringify({ follows: shown }));
    return;
  }
  if (follows.length === 0) context.out('The account follows nothing');
  for (const { id, type, key, since } of follows) {
    context.out(`${id}  ${type}  ${key}  since ${since.toISOString()}`);
  }
}
