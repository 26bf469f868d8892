import { withDatabase } from '../process/command-context.js';
import type { Account } from './account.entity.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { ApiKey } from './api-key.entity.js';
import { listAudit, type AuditEvent } from './audit-log.js';
import { firstKeyAt, isLive } from './key-rules.js';
import { listKeyUses } from './key-uses.js';
import { Sessions, type StoredSession } from './sessions.js';

interface ShownKey extends Pick<ApiKey, 'id' | 'name' | 'prefix' | 'createdAt' | 'expiresAt' | 'revokedAt'> {
  readonly lastUsedAt: Date | null;
  readonly client: string | null;
}

interface Shown {
  readonly account: Account;
  readonly firstKeyAt: Date | null;
  readonly keys: readonly ShownKey[];
  readonly sessions: readonly StoredSession[];
  readonly events: readonly AuditEvent[];
}

/** `tidemark accounts show`: what the account page shows of an account, for its operator. */
export async function showAccount(context: AccessContext, email: string, most: number): Promise<void> {
  const shown = await readAccount(context, email, most);
  if (context.json) context.out(JSON.stringify(shown));
  else for (const line of linesOf(shown, context.now())) context.out(line);
}

async function readAccount(context: AccessContext, email: string, most: number): Promise<Shown> {
  const [account, all] = await withAccess(context, async (access) => [
    await access.findAccount(email),
    await access.listKeys(email),
  ]);
  const now = context.now();
  const [uses, sessions, events] = await withDatabase(context, 'account', (database) =>
    Promise.all([
      listKeyUses(database, account.id),
      new Sessions(database, () => now).list(account.id),
      listAudit(database, account.id, most),
    ]),
  );
  const keys = all.map(({ id, name, prefix, createdAt, expiresAt, revokedAt }) => {
    const { lastUsedAt = null, client = null } = uses.find(({ keyId }) => keyId === id) ?? {};
    return { id, name, prefix, createdAt, expiresAt, revokedAt, lastUsedAt, client };
  });
  return { account, firstKeyAt: firstKeyAt(account, all, now), keys, sessions, events };
}

function linesOf({ account, firstKeyAt: first, keys, sessions, events }: Shown, now: Date): string[] {
  const { email, plan, status, locale, signedUpAt } = account;
  return [
    `${email}  ${plan}  ${status}  ${locale}  signed up ${signedUpAt.toISOString()}`,
    ...(first === null ? [] : [`can create its first key from ${first.toISOString()}`]),
    ...keys.map((key) => {
      const state = isLive(key, now) ? 'live' : 'ended';
      const use = key.lastUsedAt === null ? 'not used yet' : `last used ${key.lastUsedAt.toISOString()}`;
      const client = key.client === null || key.client === '' ? '' : ` by ${key.client}`;
      return `key  ${key.id}  ${key.prefix}…  ${state}  ${use}${client}  ${key.name}`;
    }),
    ...sessions.map(
      ({ id, address, lastUsedAt, name }) =>
        `session  ${id}  ${address}  last used ${lastUsedAt.toISOString()}  ${name}`,
    ),
    ...events.map(
      ({ at, actor, action, subject, address }) =>
        `${at.toISOString()}  ${[actor, action, subject, address].filter((part) => part !== null).join('  ')}`,
    ),
  ];
}
