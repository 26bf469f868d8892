import type { OnApplicationShutdown } from '@nestjs/common';
import { Account } from '../../serve/access/accounts/account.entity.js';
import { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { LOOKUPS, Turns } from '../../serve/access/keys/turns.js';
import type { Connections } from '../../store/connections.js';
import { createDataSource } from '../../store/data-source.js';
import type { DatabaseTimeouts } from '../../store/database.module.js';
import { ApiError } from '../../domain/errors/api-error.js';

/** Small and separate from the API's pool: a flood of sign-ins waits here and does not slow the API. */
const POOL = { size: LOOKUPS.known, statementTimeout: 2_000, applicationName: 'tidemark-account' };

const PURGE_INTERVAL_MS = 3_600_000;
/** The connection of the account page. It opens at the first request, so an instance starts without it. */
export class AccountDatabase implements OnApplicationShutdown {
  readonly source;
  readonly lookups = new Turns(LOOKUPS);
  private opening: Promise<unknown> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    connections: Connections,
    /** False in production without a login for accounts. */
    readonly isConfigured: boolean,
    private readonly now: () => Date,
    { connectionMs }: DatabaseTimeouts,
  ) {
    this.source = createDataSource(connections.to('account'), { ...POOL, waitMs: connectionMs }, [Account, ApiKey]);
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

  /** Deletes expired rows; no rule depends on them. */
  async purge(): Promise<void> {
    await this.source.query('SELECT purge_expired($1)', [this.now()]);
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
