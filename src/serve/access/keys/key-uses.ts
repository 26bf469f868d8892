import type { DataSource } from 'typeorm';
import { asAccount } from '../../../store/account-scope.js';

export interface KeyUse {
  readonly keyId: string;
  readonly lastUsedAt: Date;
  /** Empty if the request named no client. */
  readonly client: string;
}

/** The last use of each key of an account that was ever used. Instances write it each few seconds. */
export function listKeyUses(on: DataSource, accountId: string): Promise<KeyUse[]> {
  return asAccount(on, accountId, (manager) =>
    manager.query<KeyUse[]>(
      `SELECT u.key_id AS "keyId", u.last_used_at AS "lastUsedAt", u.client
       FROM key_usage u JOIN api_keys k ON k.id = u.key_id WHERE k.account_id = $1`,
      [accountId],
    ),
  );
}
