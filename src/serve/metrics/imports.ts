import { setTimeout as wait } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

export interface LastImport {
  readonly publisher: string;
  readonly publishedAt: Date;
}

export interface ImportSource {
  readonly dataVersion: number;
  /** The newest import of each publisher. */
  lastImports(): Promise<readonly LastImport[]>;
}

/** How long a scrape waits for the database; after that it reports the last known values. */
const TIMEOUT_MS = 1_000;

/** Registers the time of each publisher's last import. Queries the database only after the data version has moved. */
export function watchImports(metrics: Metrics, source: ImportSource): void {
  let known: readonly LastImport[] = [];
  let knownAt: number | undefined;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const { dataVersion } = source;
    if (dataVersion === knownAt) return;
    known = await source.lastImports();
    knownAt = dataVersion;
  };
  const refresh = (): Promise<void> => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    return Promise.race([reading, wait(TIMEOUT_MS, undefined, { ref: false })]);
  };
  new Gauge({
    name: 'tidemark_import_timestamp_seconds',
    help: 'When an import of the publisher was last published',
    labelNames: ['publisher'],
    registers: [metrics.registry],
    async collect() {
      await refresh();
      for (const { publisher, publishedAt } of known) this.set({ publisher }, publishedAt.getTime() / 1_000);
    },
  });
  new Gauge({
    name: 'tidemark_data_version_timestamp_seconds',
    help: 'When the newest import was published; absent before the first',
    // A label that is never set keeps the series absent until the first import.
    labelNames: ['never'],
    registers: [metrics.registry],
    async collect() {
      await refresh();
      const newest = Math.max(...known.map(({ publishedAt }) => publishedAt.getTime()));
      if (known.length > 0) this.set(newest / 1_000);
    },
  });
}
