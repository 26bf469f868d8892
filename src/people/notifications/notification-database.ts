import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Connections } from '../../store/connections.js';
import { createDataSource } from '../../store/data-source.js';

/** Separate from the API's pool: sending waits here and does not slow the API. */
const POOL = { size: 2, statementTimeout: 5_000, waitMs: 5_000, applicationName: 'tidemark-notifications' };

/** The connection that reads what notifications say, as the API's role. It opens with the first notification. */
export class NotificationDatabase implements OnApplicationShutdown {
  private readonly source: DataSource;
  private opening: Promise<DataSource> | undefined;

  constructor(connections: Connections) {
    this.source = createDataSource(connections.to('api'), POOL);
  }

  async open(): Promise<DataSource> {
    if (this.source.isInitialized) return this.source;
    this.opening ??= this.source.initialize().finally(() => (this.opening = undefined));
    return this.opening;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opening?.catch(() => undefined);
    if (this.source.isInitialized) await this.source.destroy();
  }
}
