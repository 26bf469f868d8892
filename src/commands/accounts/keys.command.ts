import { Argument, Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import type { CommandContext } from '../context/command-context.js';
import { parsedCount } from '../terminal/parsed-count.js';
import { showTable } from '../terminal/show-table.js';
import { requireYes, withYes, type Yes } from '../terminal/require-yes.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { NewKey } from '../../serve/access/accounts/access.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { printJson } from '../terminal/print-json.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Account {
  readonly account: string;
}

/** `tidemark keys …`. */
export function keysCommand(context: AccessContext): Command {
  const keys = new Command('keys').description('manage the keys of an account');
  addExamples(keys.command('create'), [
    'tidemark keys create --account ada@example.com --name dashboard --days 365',
    'export TIDEMARK_KEY=$(tidemark keys create --account ada@example.com)',
  ])
    .description('creates a key and shows it once')
    .requiredOption('--account <email>', "the account's e-mail address")
    .option('--name <name>', 'purpose of the key; its number by default, such as “key 2”')
    .option('--days <count>', 'days until the key expires, 1 to 3650; never by default')
    .action(async ({ account, name, days }: Account & { name?: string; days?: string }) => {
      const expiresAt =
        days === undefined
          ? null
          : new Date(context.now().getTime() + parsedCount('--days', days, [1, 3_650]) * DAY_MS);
      const made = await withAccess(context, async (access) => {
        const given = name ?? `key ${(await access.listKeys(account)).length + 1}`;
        return access.createKey(account, given, expiresAt);
      });
      showOnce(context, made);
    });
  addExamples(withYes(keys.command('rotate')), [
    'tidemark keys rotate key_… --account ada@example.com --hours 48',
  ])
    .description('creates a key of the same name and shows it once; the old key ends later')
    .argument('<id>', 'key_…, as `keys list` shows it')
    .requiredOption('--account <email>', "the account's e-mail address")
    .option('--hours <count>', 'how long the old key stays valid, 0 to 720; 0 asks first', '24')
    .action(async (id: string, { account, hours, ...options }: Account & Yes & { hours: string }) => {
      const graceMs = parsedCount('--hours', hours, [0, 720]) * HOUR_MS;
      if (graceMs === 0) await requireYes(context, options, `${id} ends at once and cannot be used again`);
      showOnce(context, await withAccess(context, (access) => access.rotateKey(account, id, graceMs)));
    });
  addExamples(keys.command('list'), ['tidemark keys list --account ada@example.com'])
    .description('lists the keys of an account by their first characters, oldest first')
    .requiredOption('--account <email>', "the account's e-mail address")
    .action(async (options: Account) => {
      await list(context, await withAccess(context, (access) => access.listKeys(options.account)));
    });
  addExamples(withYes(keys.command('revoke')), ['tidemark keys revoke key_… --yes'])
    .description('revokes a key, on every instance within a second')
    .addArgument(new Argument('<id>', 'key_…, as `keys list` shows it'))
    .action(async (id: string, options: Yes) => {
      await requireYes(context, options, `Revoking ${id} cannot be undone`);
      await list(context, [await withAccess(context, (access) => access.revokeKey(id))]);
    });
  return keys;
}

function showOnce(context: CommandContext, { key, text }: NewKey): void {
  if (context.json) {
    printJson(context, { key: { ...shown(key), text } });
    return;
  }
  context.out(text);
  context.err(`${key.id}: shown this once; keep it`);
}

async function list(context: CommandContext, keys: readonly ApiKey[]): Promise<void> {
  if (context.json) printJson(context, { keys: keys.map(shown) });
  else if (keys.length === 0) context.out('The account has no keys');
  else {
    const now = context.now();
    const rows = keys.map((key) => {
      return [key.id, `${key.prefix}…`, stateOf(key, now), timeAgo(key.createdAt, now), key.name];
    });
    await showTable(context, ['id', 'key', 'state', 'made', 'name'], rows);
  }
}

function stateOf({ expiresAt, revokedAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${timeAgo(revokedAt, now)}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt > now ? 'active, expires' : 'expired'} ${timeAgo(expiresAt, now)}`;
}

function shown({ id, name, prefix, createdAt, expiresAt, revokedAt }: ApiKey) {
  return { id, name, prefix, createdAt, expiresAt, revokedAt };
}
