import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { accountOf, asAccount, enterScope } from '../../../store/account-scope.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { givenName } from '../../../domain/names/one-line.js';
import { type Plan } from '../../../domain/plans/plans.js';
import { AccessError, tooManyAttempts, UnknownNameError } from './access-error.js';
import { normalizeEmail, readEmail } from './email.js';
import { Account } from './account.entity.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { audit, OPERATOR, type Actor, type AuditAction } from './audit-log.js';
import { inheritFormer, rememberFormer } from './former-accounts.js';
import { hashKey, makeKeyText, PREFIX_LENGTH } from '../keys/key-text.js';
import { isLive, lockAccount, refuseKey, refuseRotation, unknownKey } from '../keys/key-rules.js';
import type { NotifyOwner } from './mail.js';
import { newId } from './new-id.js';
import type { Peppers } from '../keys/peppers.js';

/** Rotations of all keys of an account in an hour. */
const MOST_ROTATIONS = 5;
const HOUR_MS = 3_600_000;

export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly signedUpAt: Date;
  readonly locale?: Locale;
}

export interface NewKey {
  readonly key: ApiKey;
  /** Returned only here: the database stores its keyed hash alone. */
  readonly text: string;
}

/** Creates and changes accounts and keys under the rules of the plans. */
export class Access {
  constructor(
    private readonly database: DataSource,
    private readonly peppers: Peppers,
    private readonly now: () => Date,
    private readonly actor: Actor = OPERATOR,
    /** Called after the transaction; commands notify nobody. */
    private readonly notify: NotifyOwner = () => undefined,
  ) {}

  /** The same rules, with another actor in the audit log. */
  as(actor: Actor): Access {
    return new Access(this.database, this.peppers, this.now, actor, this.notify);
  }

  createAccount(wanted: NewAccount): Promise<Account> {
    return this.database.transaction((manager) => this.createIn(manager, wanted));
  }

  /** Within the caller's transaction, which also creates other rows of the account. */
  async createIn(manager: EntityManager, { email, plan, signedUpAt, locale = 'en' }: NewAccount): Promise<Account> {
    const address = readEmail(email);
    const id = newId('acc');
    await enterScope(manager, 'account', id);
    const made = await manager
      .createQueryBuilder()
      .insert()
      .into(Account)
      .values({ id, email: address, plan, status: 'active', signedUpAt, locale })
      .orIgnore()
      .returning('id')
      .execute();
    if ((made.raw as unknown[]).length === 0) {
      throw new AccessError(`${address} already has an account`, { code: 'has_account' });
    }
    await inheritFormer(manager, { id, email: address }, this.peppers, this.now());
    await this.record(manager, id, 'account_created');
    return manager.findOneByOrFail(Account, { id });
  }

  /**
   * Deletes the account and everything that it owns. `former_accounts` remembers, without the address, what signing up
   * again must not renew.
   */
  async deleteAccount(email: string): Promise<void> {
    const account = await this.findAccount(email);
    await asAccount(this.database, account.id, async (manager) => {
      await rememberFormer(manager, account, this.peppers, this.now());
      await this.record(manager, account.id, 'account_deleted');
      await manager.delete(Account, account.id);
    });
  }

  async findAccount(email: string): Promise<Account> {
    const id = await accountOf(this.database, 'email', normalizeEmail(email));
    const account =
      id === null ? null : await asAccount(this.database, id, (manager) => manager.findOneBy(Account, { id }));
    if (account === null) throw new UnknownNameError('account', email);
    return account;
  }

  listAccounts(): Promise<Account[]> {
    return this.database.query<Account[]>(
      `SELECT id, email, plan, status, locale, signed_up_at AS "signedUpAt", created_at AS "createdAt"
       FROM operator_accounts() ORDER BY created_at, id`,
    );
  }

  async setPlan(email: string, plan: Plan): Promise<Account> {
    return this.update(email, { plan }, 'plan_changed');
  }

  async setStatus(email: string, status: Account['status']): Promise<Account> {
    return this.update(email, { status }, status === 'active' ? 'account_resumed' : 'account_suspended');
  }

  /**
   * @param expiresAt null: the key does not expire
   * @param newKeyId the id that a form reserved for its key
   * @param reads makes a file link, which opens the table of the page at this address and nothing else
   * @throws AccessError `key_made` if that key exists: the form was submitted twice
   */
  async createKey(
    email: string,
    name: string,
    expiresAt: Date | null = null,
    newKeyId = newId('key'),
    reads: string | null = null,
  ): Promise<NewKey> {
    const label = givenName(name, 100);
    if (label === null) {
      throw new AccessError('A key has a name of 1 to 100 printable characters on one line', { code: 'name_invalid' });
    }
    return this.newKey(email, newKeyId, async (manager, account) => {
      const keys = await manager.findBy(ApiKey, { accountId: account.id });
      refuseKey(account, keys, this.now(), reads !== null);
      await this.record(manager, account.id, reads === null ? 'key_created' : 'link_created', newKeyId);
      return { name: label, expiresAt, replaces: null, reads };
    });
  }

  /**
   * Creates a key with name and life of the old one, which stays valid for the grace period.
   * @throws AccessError see `refuseRotation`; `too_many_attempts` beyond five rotations an hour
   */
  async rotateKey(email: string, id: string, graceMs: number, newKeyId = newId('key')): Promise<NewKey> {
    const now = this.now();
    return this.newKey(email, newKeyId, async (manager, account) => {
      const keys = await manager.findBy(ApiKey, { accountId: account.id });
      const old = keys.find((key) => key.id === id && key.reads === null && isLive(key, now));
      if (old === undefined) throw unknownKey(id);
      refuseRotation(account, keys, old, graceMs, now);
      await this.refuseManyRotations(manager, account.id);
      const { name, expiresAt } = old;
      const ends = new Date(now.getTime() + graceMs);
      if (expiresAt === null || expiresAt > ends) await manager.update(ApiKey, id, { expiresAt: ends });
      await this.record(manager, account.id, 'key_rotated', id);
      return { name, expiresAt, replaces: id, reads: null };
    });
  }

  async listKeys(email: string): Promise<ApiKey[]> {
    const { id } = await this.findAccount(email);
    return asAccount(this.database, id, (manager) =>
      manager.find(ApiKey, { where: { accountId: id }, order: { createdAt: 'ASC', id: 'ASC' } }),
    );
  }

  async revokeKey(id: string): Promise<ApiKey> {
    const accountId = await accountOf(this.database, 'key', id);
    if (accountId === null) throw unknownKey(id);
    return asAccount(this.database, accountId, async (manager) => {
      const { affected } = await manager.update(ApiKey, { id, revokedAt: IsNull() }, { revokedAt: this.now() });
      const key = await manager.findOneBy(ApiKey, { id });
      if (key === null) throw unknownKey(id);
      const action = key.reads === null ? 'key_revoked' : 'link_revoked';
      if (affected !== 0) await this.record(manager, accountId, action, id);
      return key;
    });
  }

  /** Inserts the key that `decide` allows, and tells the owner of it. */
  private async newKey(
    email: string,
    id: string,
    decide: (
      manager: EntityManager,
      account: Account,
    ) => Promise<Pick<ApiKey, 'name' | 'expiresAt' | 'replaces' | 'reads'>>,
  ): Promise<NewKey> {
    const { signing } = this.peppers;
    const { account, key, text } = await this.database.transaction(async (manager) => {
      const account = await lockAccount(manager, email);
      if ((await accountOf(manager, 'key', id)) !== null) {
        throw new AccessError('This form has already created its key', { code: 'key_made' });
      }
      const decided = await decide(manager, account);
      const text = makeKeyText(decided.reads === null ? 'key' : 'link');
      await manager.insert(ApiKey, {
        ...decided,
        id,
        accountId: account.id,
        revokedAt: null,
        hash: hashKey(text, signing),
        pepperId: signing.id,
        prefix: text.slice(0, PREFIX_LENGTH),
      });
      return { account, text, key: await manager.findOneByOrFail(ApiKey, { id }) };
    });
    // A link opens what everybody may read: its owner needs no warning.
    const { name, reads } = key;
    if (reads === null)
      this.notify(account, { kind: 'key_created', at: this.now(), address: this.actor.address, name });
    return { key, text };
  }

  private async refuseManyRotations(manager: EntityManager, accountId: string): Promise<void> {
    const now = this.now().getTime();
    const [recent] = await manager.query<{ count: number; first: Date | null }[]>(
      `SELECT count(*)::int AS count, min(at) AS first FROM audit_events
       WHERE account_id = $1 AND action = 'key_rotated' AND at > $2`,
      [accountId, new Date(now - HOUR_MS)],
    );
    if ((recent?.count ?? 0) < MOST_ROTATIONS) return;
    throw tooManyAttempts((recent?.first?.getTime() ?? now) + HOUR_MS - now);
  }

  private async update(
    email: string,
    change: Partial<Pick<Account, 'plan' | 'status'>>,
    action: AuditAction,
  ): Promise<Account> {
    const { id } = await this.findAccount(email);
    await asAccount(this.database, id, async (manager) => {
      await manager.update(Account, id, change);
      await this.record(manager, id, action);
    });
    return this.findAccount(email);
  }

  private record(manager: EntityManager, accountId: string, action: AuditAction, subject?: string) {
    return audit(manager, this.actor, { accountId, action, at: this.now(), subject });
  }
}
