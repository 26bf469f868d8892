import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Account } from './account.entity.js';
import type { Peppers } from '../keys/peppers.js';

// Remembers deleted accounts, so that signing up again renews neither the day's requests nor the wait for a first key.

/** How long the table keeps the keyed hash of a deleted account's address. */
export const REMEMBERED_MS = 30 * 24 * 3_600_000;

export async function rememberFormer(
  on: EntityManager,
  { id, email, signedUpAt }: Account,
  peppers: Peppers,
  now: Date,
): Promise<void> {
  await on.query(
    `INSERT INTO former_accounts (email_hash, signed_up_at, deleted_at, admitted)
     VALUES ($1, $2, $3, coalesce((SELECT admitted FROM daily_usage WHERE account_id = $4 AND day = $5), 0))
     ON CONFLICT (email_hash) DO UPDATE SET signed_up_at = least(former_accounts.signed_up_at, excluded.signed_up_at),
       deleted_at = excluded.deleted_at, admitted = excluded.admitted`,
    [hashesOf(email, peppers)[0], signedUpAt, now, id, dayOf(now)],
  );
}

export async function inheritFormer(
  on: EntityManager,
  { id, email }: Pick<Account, 'id' | 'email'>,
  peppers: Peppers,
  now: Date,
): Promise<void> {
  const [former] = await on.query<{ signedUpAt: Date; deletedAt: Date; admitted: number }[]>(
    `SELECT signed_up_at AS "signedUpAt", deleted_at AS "deletedAt", admitted FROM former_accounts
     WHERE email_hash = ANY ($1) AND deleted_at > $2 ORDER BY signed_up_at LIMIT 1`,
    [hashesOf(email, peppers), new Date(now.getTime() - REMEMBERED_MS)],
  );
  if (former === undefined) return;
  const { signedUpAt, deletedAt, admitted } = former;
  await on.query('UPDATE accounts SET signed_up_at = least(signed_up_at, $2) WHERE id = $1', [id, signedUpAt]);
  if (dayOf(deletedAt) !== dayOf(now)) return;
  await on.query('INSERT INTO daily_usage (account_id, day, admitted) VALUES ($1, $2, $3)', [id, dayOf(now), admitted]);
}

/** One hash per pepper; the first is written. */
function hashesOf(email: string, peppers: Peppers): Buffer[] {
  return peppers.derive('former-account').map((secret) => createHmac('sha256', secret).update(email).digest());
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
