import { ACCOUNT, action, count, type CommandData, type OfAccount, type CommandOutput } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { NewKey } from '../../serve/access/accounts/access.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { ApiKey } from '../../serve/access/keys/api-key.entity.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ID = ['<id>', 'key_…, as `keys list` shows it'] as const;

/** `tidemark keys …`. */
export const keys: CommandData = {
  name: 'keys',
  about: 'manage the keys of an account',
  commands: [
    action<OfAccount & { name?: string; days?: number }, [], AccessContext>({
      name: 'create',
      about: 'creates a key and shows it once',
      examples: [
        'tidemark keys create --account ada@example.com --name dashboard --days 365',
        'export TIDEMARK_KEY=$(tidemark keys create --account ada@example.com)',
      ],
      options: [
        ACCOUNT,
        ['--name <name>', 'purpose of the key; its number by default, such as “key 2”'],
        [
          '--days <count>',
          'days until the key expires, 1 to 3650; never by default',
          { parse: count('--days', 1, 3_650) },
        ],
      ],
      run: (context, { account, name, days }) =>
        withAccess(context, async (access) => {
          const given = name ?? `key ${(await access.listKeys(account)).length + 1}`;
          const expiresAt = days === undefined ? null : new Date(context.now().getTime() + days * DAY_MS);
          return shownOnce(await access.createKey(account, given, expiresAt));
        }),
    }),
    action<OfAccount & { hours: number }, [string], AccessContext>({
      name: 'rotate',
      about: 'creates a key of the same name and shows it once; the old key ends later',
      examples: ['tidemark keys rotate key_… --account ada@example.com --hours 48'],
      arguments: [ID],
      options: [
        ACCOUNT,
        [
          '--hours <count>',
          'how long the old key stays valid, 0 to 720; 0 asks first',
          { default: 24, parse: count('--hours', 0, 720) },
        ],
      ],
      confirm: ({ hours }, id) => (hours === 0 ? `${id} ends at once and cannot be used again` : null),
      run: async (context, { account, hours }, id) =>
        shownOnce(await withAccess(context, (access) => access.rotateKey(account, id, hours * HOUR_MS))),
    }),
    action<OfAccount, [], AccessContext>({
      name: 'list',
      about: 'lists the keys of an account by their first characters, oldest first',
      examples: ['tidemark keys list --account ada@example.com'],
      options: [ACCOUNT],
      run: async (context, { account }) =>
        listed(await withAccess(context, (access) => access.listKeys(account)), context.now()),
    }),
    action<object, [string], AccessContext>({
      name: 'revoke',
      about: 'revokes a key, on every instance within a second',
      examples: ['tidemark keys revoke key_… --yes'],
      arguments: [ID],
      confirm: (_, id) => `Revoking ${id} cannot be undone`,
      run: async (context, _, id) =>
        listed([await withAccess(context, (access) => access.revokeKey(id))], context.now()),
    }),
  ],
};

const shownOnce = ({ key, text }: NewKey): CommandOutput => ({
  json: { key: { ...shown(key), text } },
  text,
  aside: `${key.id}: shown this once; keep it`,
});

function listed(all: readonly ApiKey[], now: Date): CommandOutput {
  const rows = all.map((key) => [key.id, `${key.prefix}…`, stateOf(key, now), timeAgo(key.createdAt, now), key.name]);
  const columns = ['id', 'key', 'state', 'made', 'name'];
  return { json: { keys: all.map(shown) }, text: [{ columns, rows, empty: 'The account has no keys' }] };
}

function stateOf({ expiresAt, revokedAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${timeAgo(revokedAt, now)}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt > now ? 'active, expires' : 'expired'} ${timeAgo(expiresAt, now)}`;
}

function shown({ id, name, prefix, createdAt, expiresAt, revokedAt }: ApiKey) {
  return { id, name, prefix, createdAt, expiresAt, revokedAt };
}
