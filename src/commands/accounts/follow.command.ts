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
import type { FollowEntity } from '../../serve/following/follow.entity.js';
import type { Follows } from '../../serve/following/follows.js';
import { TARGET_TYPES, type TargetType } from '../../serve/following/targets.js';

/** The arguments that name a target. */
export const TARGET: readonly Parameter[] = [
  ['<type>', 'what it is', { choices: TARGET_TYPES }],
  ['<key>', 'slug, key, id or code; for a series indicator@region'],
];

const follow = <Given extends unknown[]>(
  fields: Runless<OfAccount, Given>,
  work: (follows: Follows, account: string, ...given: Given) => Promise<FollowEntity[]>,
) =>
  action<OfAccount, Given, AccessContext>({
    ...fields,
    options: [ACCOUNT],
    run: (context, { account }, ...given) =>
      withAccess(context, async (access) => {
        const { Follows } = await import('../../serve/following/follows.js');
        const now = () => context.now();
        return withDatabase(context, 'api', async (database) =>
          listed(await work(new Follows(database, access, now), account, ...given), now()),
        );
      }),
  });

/** `tidemark follows …`. */
export const follows: CommandData = {
  name: 'follows',
  about: 'manage the targets that an account follows',
  commands: [
    follow<[TargetType, string]>(
      {
        name: 'add',
        about: 'follows a target',
        examples: ['tidemark follows add series cpi-inflation@JP --account ada@example.com'],
        arguments: TARGET,
      },
      async (of, account, type, key) => [await of.add(account, type, key)],
    ),
    follow<[TargetType, string]>(
      {
        name: 'remove',
        about: 'stops following a target',
        examples: ['tidemark follows remove country JP --yes --account ada@example.com'],
        arguments: TARGET,
        confirm: ({ account }, type, key) => `${account} will no longer follow ${type} ${key}`,
      },
      async (of, account, type, key) => [await of.remove(account, type, key)],
    ),
    follow(
      {
        name: 'list',
        about: 'lists the targets that an account follows, newest first',
        examples: ['tidemark follows list --account ada@example.com'],
      },
      (of, account) => of.list(account),
    ),
  ],
};

function listed(all: readonly FollowEntity[], now: Date): CommandOutput {
  return {
    json: { follows: all.map(({ id, type, key, since }) => ({ id, target: { type, key }, since })) },
    text: [
      {
        columns: ['id', 'type', 'key', 'since'],
        rows: all.map(({ id, type, key, since }) => [id, type, key, timeAgo(since, now)]),
        empty: 'The account follows nothing',
      },
    ],
  };
}
