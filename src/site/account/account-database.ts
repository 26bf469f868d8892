import type { OnApplicationShutdown } from '@nestjs/common';
import { Account } from '../../access/account.entity.js';
import { ApiKey } from '../../access/api-key.entity.js';
import type { Connections } from '../../database/connections.js';
import { createDataSource } from '../../database/data-source.js';
import type { DatabaseTimeouts } from '../../database/database.module.js';
import { ApiError } from '../../errors/api-error.js';

/** Small and separate from the API's pool: a flood of sign-ins waits here and does not slow the API. */
const POOL = { size: 3, statementTimeout: 2_000, applicationName: 'tidemark-account' };

const PURGE_INTERVAL_MS = 3_600_000;
/** Deletes expired rows; no rule depends on them. $1 now */
const PURGE = [
  'DELETE FROM account_sessions WHERE expires_at < $1',
  'DELETE FROM one_time_tokens WHERE expires_at < $1',
  'DELETE FROM authorization_requests WHERE expires_at < $1',
  `DELETE FROM api_keys WHERE coalesce(revoked_at, expires_at) < $1::timestamptz - interval '90 days'`,
  `DELETE FROM former_accounts WHERE deleted_at < $1::timestamptz - interval '30 days'`,
  `DELETE FROM notifications WHERE created_at < $1::timestamptz - interval '30 days'`,
  `DELETE FROM audit_events WHERE at < $1::timestamptz - interval '400 days'`,
];

/** The connection of the account page. It opens at the first request, so an instance starts without it. */
export class AccountDatabase implements OnApplicationShutdown {
  readonly source;
  private opening: Promise<unknown> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    connections: Connections,
    /** False in production without a login for accounts. */
    readonly isConfigured: boolean,
    private readonly now: () => Date,
    { connectionMs }: DatabaseTimeouts,
  ) {
    this.source = createDataSource(connections.to('account'), { ...POOL, waitMs: connectionMs }, [
      Account,
      ApiKey,
    ]);
  }

  /** @throws ApiError `not_found` if it is not configured, `unavailable` if it cannot be reached */
  async open(): Promise<void> {
    if (!this.isConfigured) throw new ApiError('not_found');
    if (this.source.isInitialized) return;
    this.opening ??= this.start().finally(() => (this.opening = undefined));
    await this.opening.catch((cause: unknown) => {
      throw new ApiError('unavailable', { retryAfterSeconds: 1 }, { cause });
    });
  }

  /** Deletes expired rows. */
  async purge(): Promise<void> {
    for (const sql of PURGE) await this.source.query(sql, [this.now()]);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.opening?.catch(() => undefined);
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async start(): Promise<void> {
    await this.source.initialize();
    // A failed purge is retried in an hour.
    this.timer = setInterval(() => void this.purge().catch(() => undefined), PURGE_INTERVAL_MS).unref();
  }
}
