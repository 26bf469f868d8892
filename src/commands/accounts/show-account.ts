import { withDatabase } from '../context/command-context.js';
import type { CommandOutput, PrintedTable } from '../terminal/command.js';
import { timeAgo } from '../terminal/time-ago.js';
import type { Account } from '../../serve/access/accounts/account.entity.js';
import { withAccess, type AccessContext } from './access-context.js';
import type { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { listAudit, type AuditEvent } from '../../serve/access/accounts/audit-log.js';
import { firstKeyAt, isLive } from '../../serve/access/keys/key-rules.js';
import { listKeyUses } from '../../serve/access/keys/key-uses.js';
import { Sessions, type StoredSession } from '../../serve/access/sign-in/sessions.js';

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
export async function showAccount(context: AccessContext, email: string, most: number): Promise<CommandOutput> {
  const shown = await readAccount(context, email, most);
  return { json: shown, text: textOf(shown, context.now()) };
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

function textOf({ account, firstKeyAt: first, keys, sessions, events }: Shown, now: Date): CommandOutput['text'] {
  const { email, plan, status, locale, signedUpAt } = account;
  const tables: PrintedTable[] = [
    {
      columns: ['key', 'text', 'state', 'last used', 'client', 'name'],
      rows: keys.map((key) => [
        key.id,
        `${key.prefix}…`,
        isLive(key, now) ? 'live' : 'ended',
        key.lastUsedAt === null ? 'never' : timeAgo(key.lastUsedAt, now),
        key.client ?? '',
        key.name,
      ]),
    },
    {
      columns: ['session', 'address', 'last used', 'name'],
      rows: sessions.map((one) => [one.id, one.address, timeAgo(one.lastUsedAt, now), one.name]),
    },
    {
      columns: ['when', 'by', 'what', 'subject', 'address'],
      rows: events.map(({ at, actor, action, subject, address }) => [
        timeAgo(at, now),
        actor,
        action,
        subject ?? '',
        address ?? '',
      ]),
    },
  ];
  return [
    `${email}: ${plan}, ${status}, ${locale}, signed up ${timeAgo(signedUpAt, now)}`,
    ...(first === null ? [] : [`The first key can be created ${timeAgo(first, now)}`]),
    ...tables.flatMap((table) => (table.rows.length === 0 ? [] : ['', table])),
  ];
}
