import type { EntityManager } from 'typeorm';
import { accountOf, enterScope } from '../../../store/account-scope.js';
import { utcMinute } from '../../../domain/locale/utc-minute.js';
import { PLAN_TERMS } from '../../../domain/plans/plans.js';
import { AccessError, UnknownNameError } from '../accounts/access-error.js';
import { Account } from '../accounts/account.entity.js';
import type { ApiKey } from './api-key.entity.js';
import { normalizeEmail } from '../accounts/email.js';

type Lifetime = Pick<ApiKey, 'revokedAt' | 'expiresAt'>;

/** File links that an account may have at once, on every plan: what they read counts on the plan. */
const MOST_LINKS = 50;

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

/** @throws AccessError if the plan, the waiting time or a suspension allows no further key, or no further file link */
export function refuseKey(
  account: Account,
  keys: readonly (Lifetime & Pick<ApiKey, 'reads'>)[],
  now: Date,
  isLink = false,
): void {
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
  const live = keys.filter((key) => (key.reads !== null) === isLink && isLive(key, now)).length;
  if (isLink && live >= MOST_LINKS) {
    throw new AccessError(`An account has at most ${MOST_LINKS} file links: revoke one first`, {
      code: 'link_cap',
      args: { count: MOST_LINKS },
    });
  }
  if (!isLink && live >= liveKeys) {
    throw new AccessError(`The ${plan} plan allows ${liveKeys} live keys: revoke one first`, {
      code: 'key_cap',
      args: { count: liveKeys },
    });
  }
}

/**
 * @param graceMs how long the old key stays valid beside its successor
 * @throws AccessError if the key has a successor, its predecessor is still valid, or both keys exceed the plan's cap
 */
export function refuseRotation(
  account: Account,
  keys: readonly ApiKey[],
  old: ApiKey,
  graceMs: number,
  now: Date,
): void {
  const args = (key: ApiKey) => ({ at: key.expiresAt === null ? '' : utcMinute(key.expiresAt) });
  if (keys.some(({ replaces }) => replaces === old.id)) {
    throw new AccessError(`${old.id} was rotated already`, { code: 'key_replaced', args: args(old) });
  }
  const previous = keys.find((key) => key.id === old.replaces && isLive(key, now));
  if (previous !== undefined) {
    throw new AccessError(`${previous.id}, which ${old.id} replaced, is still valid: revoke it first`, {
      code: 'key_predecessor',
      args: args(previous),
    });
  }
  // Ended at once, the old key makes room for its successor, also above the cap of a smaller plan.
  refuseKey(account, graceMs > 0 ? keys : [], now);
}

/** Locks the account and enters its scope, so that concurrent calls cannot exceed the cap together. */
export async function lockAccount(manager: EntityManager, email: string): Promise<Account> {
  const id = await accountOf(manager, 'email', normalizeEmail(email));
  if (id === null) throw new UnknownNameError('account', email);
  await enterScope(manager, 'account', id);
  const account = await manager.findOne(Account, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (account === null) throw new UnknownNameError('account', email);
  return account;
}

export function unknownKey(id: string): AccessError {
  return new UnknownNameError('key', id, { code: 'key_unknown' });
}
