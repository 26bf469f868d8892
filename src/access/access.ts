import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { PLAN_TERMS, type Plan } from '../plans/plans.js';
import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { hashKey, makeKeyText, PREFIX_LENGTH } from './key-text.js';
import type { Peppers } from './peppers.js';

/** A refusal in the operator's or owner's words. */
export class AccessError extends Error {}

export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly signedUpAt: Date;
}

/** Makes and changes accounts and keys, under the rules of the plans. */
export class Access {
  constructor(
    private readonly database: DataSource,
    private readonly peppers: Peppers,
    private readonly now: () => Date,
  ) {}

  async createAccount({ email, plan, signedUpAt }: NewAccount): Promise<Account> {
    const address = email.trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254) {
      throw new AccessError(`'${email}' is not an e-mail address`);
    }
    const id = newId('acc');
    const made = await this.database
      .createQueryBuilder()
      .insert()
      .into(Account)
      .values({ id, email: address, plan, status: 'active', signedUpAt })
      .orIgnore()
      .returning('id')
      .execute();
    if ((made.raw as unknown[]).length === 0) throw new AccessError(`${address} has an account already`);
    return this.findAccount(address);
  }

  async findAccount(email: string): Promise<Account> {
    const account = await this.accounts.findOneBy({ email: email.trim().toLowerCase() });
    if (account === null) throw new AccessError(`No account has the e-mail ${email}`);
    return account;
  }

  listAccounts(): Promise<Account[]> {
    return this.accounts.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async setPlan(email: string, plan: Plan): Promise<Account> {
    const { id } = await this.findAccount(email);
    await this.accounts.update(id, { plan });
    return this.findAccount(email);
  }

  async setStatus(email: string, status: Account['status']): Promise<Account> {
    const { id } = await this.findAccount(email);
    await this.accounts.update(id, { status });
    return this.findAccount(email);
  }

  /** The text is returned here and never again: only its keyed hash is kept. */
  async createKey(email: string, name: string): Promise<{ key: ApiKey; text: string }> {
    const text = makeKeyText();
    const label = name.trim();
    if (label === '' || label.length > 100 || /\p{Cc}/u.test(label)) {
      throw new AccessError('A key has a name of 1 to 100 printable characters');
    }
    const id = newId('key');
    await this.database.transaction(async (manager) => {
      const account = await manager.findOne(Account, {
        where: { email: email.trim().toLowerCase() },
        lock: { mode: 'pessimistic_write' },
      });
      if (account === null) throw new AccessError(`No account has the e-mail ${email}`);
      this.refuseKey(account, await manager.findBy(ApiKey, { accountId: account.id }));
      await manager.insert(ApiKey, {
        id,
        accountId: account.id,
        name: label,
        hash: hashKey(text, this.peppers.signing),
        pepperId: this.peppers.signing.id,
        prefix: text.slice(0, PREFIX_LENGTH),
        revokedAt: null,
      });
    });
    return { key: await this.keys.findOneByOrFail({ id }), text };
  }

  async listKeys(email: string): Promise<ApiKey[]> {
    const { id } = await this.findAccount(email);
    return this.keys.find({ where: { accountId: id }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async revokeKey(id: string): Promise<ApiKey> {
    const key = await this.keys.findOneBy({ id });
    if (key === null) throw new AccessError(`No key has the id ${id}`);
    if (key.revokedAt === null) await this.keys.update(id, { revokedAt: this.now() });
    return this.keys.findOneByOrFail({ id });
  }

  private refuseKey(account: Account, keys: readonly ApiKey[]): void {
    const { liveKeys, firstKeyAfterHours } = PLAN_TERMS[account.plan];
    if (account.status === 'suspended') throw new AccessError(`The account ${account.email} is suspended`);
    const from = new Date(account.signedUpAt.getTime() + firstKeyAfterHours * 3_600_000);
    if (keys.length === 0 && this.now() < from) {
      throw new AccessError(
        `A new ${account.plan} account can make its first key ${firstKeyAfterHours} hours after sign-up: from ${from.toISOString()}`,
      );
    }
    if (keys.filter(({ revokedAt }) => revokedAt === null).length >= liveKeys) {
      throw new AccessError(`The ${account.plan} plan allows ${liveKeys} live keys: revoke one first`);
    }
  }

  private get accounts() {
    return this.database.getRepository(Account);
  }

  private get keys() {
    return this.database.getRepository(ApiKey);
  }
}

function newId(kind: 'acc' | 'key'): string {
  return `${kind}_${randomBytes(12).toString('base64url')}`;
}
