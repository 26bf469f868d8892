import { withDatabase } from '../context/command-context.js';
import { showTable } from '../terminal/show-table.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { listAudit, type AuditEvent } from '../../serve/access/accounts/audit-log.js';
import { firstKeyAt, isLive } from '../../serve/access/keys/key-rules.js';
import { listKeyUses } from '../../serve/access/keys/key-uses.js';
import { Sessions, type StoredSession } from '../../serve/access/sign-in/sessions.js';
import { printJson } from '../terminal/print-json.js';

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
  if (context.json) printJson(context, shown);
  else await print(context, shown);
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

async function print(context: AccessContext, shown: Shown): Promise<void> {
  const { account, firstKeyAt: first, keys, sessions, events } = shown;
  const { email, plan, status, locale, signedUpAt } = account;
  const now = context.now();
  context.out(`${email}: ${plan}, ${status}, ${locale}, signed up ${timeAgo(signedUpAt, now)}`);
  if (first !== null) context.out(`The first key can be created ${timeAgo(first, now)}`);
  if (keys.length > 0) {
    context.out('');
    const rows = keys.map((key) => {
      const used = key.lastUsedAt === null ? 'never' : timeAgo(key.lastUsedAt, now);
      const state = isLive(key, now) ? 'live' : 'ended';
      return [key.id, `${key.prefix}…`, state, used, key.client ?? '', key.name];
    });
    await showTable(context, ['key', 'text', 'state', 'last used', 'client', 'name'], rows);
  }
  if (sessions.length > 0) {
    context.out('');
    const rows = sessions.map(({ id, address, lastUsedAt, name }) => {
      return [id, address, timeAgo(lastUsedAt, now), name];
    });
    await showTable(context, ['session', 'address', 'last used', 'name'], rows);
  }
  if (events.length > 0) {
    context.out('');
    const rows = events.map(({ at, actor, action, subject, address }) => {
      return [timeAgo(at, now), actor, action, subject ?? '', address ?? ''];
    });
    await showTable(context, ['when', 'by', 'what', 'subject', 'address'], rows);
  }
}
