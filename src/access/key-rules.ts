import type { EntityManager } from 'typeorm';
import { PLAN_TERMS } from '../plans/plans.js';
import { AccessError, UnknownNameError } from './access-error.js';
import { Account } from './account.entity.js';
import type { ApiKey } from './api-key.entity.js';

type Lifetime = Pick<ApiKey, 'revokedAt' | 'expiresAt'>;

export function isLive({ revokedAt, expiresAt }: Lifetime, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** When the account can create its first key; null if it has created one or already can. */
export function firstKeyAt(
  { plan, signedUpAt }: Pick<Account, 'plan' | 'signedUpAt'>,
  keys: readonly unknown[],
  now: Date,
): Date | null {
  const at = new Date(signedUpAt.getTime() + PLAN_TERMS[plan].firstKeyAfterHours * 3_600_000);
  return keys.length === 0 && now < at ? at : null;
}

/** @throws AccessError if the plan, the waiting time or a suspension allows no further key */
export function refuseKey(account: Account, keys: readonly Lifetime[], now: Date): void {
  const { plan, status, email } = account;
  const { liveKeys, firstKeyAfterHours } = PLAN_TERMS[plan];
  if (status === 'suspended') {
    throw new AccessError(`The account ${email} is suspended`, { code: 'account_suspended' });
  }
  const at = firstKeyAt(account, keys, now)?.toISOString();
  if (at !== undefined) {
    throw new AccessError(
      `A new ${plan} account can create its first key ${firstKeyAfterHours} hours after sign-up: from ${at}`,
      { code: 'first_key_later', args: { at } },
    );
  }
  if (keys.filter((key) => isLive(key, now)).length >= liveKeys) {
    throw new AccessError(`The ${plan} plan allows ${liveKeys} live keys: revoke one first`, {
      code: 'key_cap',
      args: { count: liveKeys },
    });
  }
}

/** Locks the account, so that concurrent calls cannot exceed the cap together. */
export async function lockAccount(manager: EntityManager, email: string): Promise<Account> {
  const account = await manager.findOne(Account, {
    where: { email: email.trim().toLowerCase() },
    lock: { mode: 'pessimistic_write' },
  });
  if (account === null) throw new UnknownNameError('account', email);
  return account;
}

export function unknownKey(id: string): AccessError {
  return new UnknownNameError('key', id, { code: 'key_unknown' });
}
