import type { DataSource, EntityManager } from 'typeorm';
import { asAccount } from '../../../store/account-scope.js';

/** A person at an OpenID provider. An e-mail address is no identity, because providers may reassign it. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export async function accountOfIdentity(
  on: DataSource | EntityManager,
  { issuer, subject }: ProviderIdentity,
): Promise<string | null> {
  const [found] = await on.query<{ id: string | null }[]>('SELECT account_of_identity($1, $2) AS id', [
    issuer,
    subject,
  ]);
  return found?.id ?? null;
}

/** Links the identity; false if it or the account is linked with another. */
export async function insertIdentity(
  on: EntityManager,
  accountId: string,
  { issuer, subject }: ProviderIdentity,
  at: Date,
): Promise<boolean> {
  const made = await on.query<object[]>(
    `INSERT INTO account_identities (issuer, subject, account_id, linked_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [issuer, subject, accountId, at],
  );
  return made.length > 0;
}

/** When the account was linked with an identity of the issuer; null if it is not. */
export async function linkedAt(on: DataSource, accountId: string, issuer: string): Promise<Date | null> {
  const [found] = await asAccount(on, accountId, (manager) =>
    manager.query<{ at: Date }[]>(
      'SELECT linked_at AS at FROM account_identities WHERE account_id = $1 AND issuer = $2',
      [accountId, issuer],
    ),
  );
  return found?.at ?? null;
}

export async function deleteIdentity(on: EntityManager, accountId: string, issuer: string): Promise<boolean> {
  const [, count] = await on.query<[object[], number]>(
    'DELETE FROM account_identities WHERE account_id = $1 AND issuer = $2',
    [accountId, issuer],
  );
  return count > 0;
}
