import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { joinEngine } from '../../src/database/engine/embedded-engine.js';

/** A migrated database of its own on the embedded engine, seen by each of the three roles. */
export interface ScratchDatabase {
  readonly owner: DataSource;
  readonly publisher: DataSource;
  readonly reader: DataSource;
  close(): Promise<void>;
}

export async function openScratchDatabase(): Promise<ScratchDatabase> {
  const database = `spec_${randomBytes(6).toString('hex')}`;
  const lease = await joinEngine({ dataDir: join(tmpdir(), 'tidemark-publishing-specs'), database });
  const sources = (['admin', 'import', 'api'] as const).map((role) =>
    createDataSource(
      { ...lease.connection(role), role: null },
      { size: 3, statementTimeout: 0, applicationName: `spec-${role}` },
    ),
  );
  const [owner, publisher, reader] = sources as [DataSource, DataSource, DataSource];
  await owner.initialize();
  await owner.runMigrations();
  await publisher.initialize();
  await reader.initialize();
  return {
    owner,
    publisher,
    reader,
    async close() {
      await publisher.destroy();
      await reader.destroy();
      await owner.destroy();
      await lease.release();
    },
  };
}
