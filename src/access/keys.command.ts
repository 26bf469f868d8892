import { Argument, Command } from 'commander';
import type { CommandContext } from '../process/command-context.js';
import { withAccess, type AccessContext } from './accounts.command.js';
import type { ApiKey } from './api-key.entity.js';

/** `tidemark keys …`. */
export function keysCommand(context: AccessContext): Command {
  const keys = new Command('keys').description('manage the keys of an account');
  keys
    .command('create')
    .description('creates a key and shows it once')
    .requiredOption('--account <email>', "the account's e-mail address")
    .option('--name <name>', 'what it is for', 'key')
    .action(async (options: { account: string; name: string }) => {
      const { key, text } = await withAccess(context, (access) =>
        access.createKey(options.account, options.name),
      );
      if (context.json) context.out(JSON.stringify({ key: { ...shown(key), text } }));
      else {
        context.out(text);
        context.err(`${key.id}: shown this once; keep it`);
      }
    });
  keys
    .command('list')
    .description('lists the keys of an account by their first characters, oldest first')
    .requiredOption('--account <email>', "the account's e-mail address")
    .action(async (options: { account: string }) => {
      list(context, await withAccess(context, (access) => access.listKeys(options.account)));
    });
  keys
    .command('revoke')
    .description('revokes a key, on every instance within a second')
    .addArgument(new Argument('<id>', 'key_…, as `keys list` shows it'))
    .action(async (id: string) => {
      list(context, [await withAccess(context, (access) => access.revokeKey(id))]);
    });
  return keys;
}

function list(context: CommandContext, keys: readonly ApiKey[]): void {
  if (context.json) {
    context.out(JSON.stringify({ keys: keys.map(shown) }));
    return;
  }
  if (keys.length === 0) context.out('The account has no keys');
  for (const key of keys) {
    const ends = key.expiresAt === null ? 'active' : `active until ${key.expiresAt.toISOString()}`;
    const state = key.revokedAt === null ? ends : `revoked ${key.revokedAt.toISOString()}`;
    context.out(`${key.id}  ${key.prefix}…  ${state}  made ${key.createdAt.toISOString()}  ${key.name}`);
  }
}

function shown({ id, name, prefix, createdAt, expiresAt, revokedAt }: ApiKey) {
  return { id, name, prefix, createdAt, expiresAt, revokedAt };
}
