import { setTimeout as wait } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** How long a scrape waits for the database; after that it reports the last known value. */
const TIMEOUT_MS = 1_000;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | null];

/** A value that each scrape reads again. A read that fails or takes too long leaves the last known one. */
export function lastKnown<T>(first: T, read: (known: T) => Promise<T>): () => Promise<T> {
  let known = first;
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    known = await read(known);
  };
  return async () => {
    reading ??= refresh()
      .catch(() => undefined)
      .finally(() => (reading = undefined));
    await Promise.race([reading, wait(TIMEOUT_MS, undefined, { ref: false })]);
    return known;
  };
}

/** Registers the gauges of values that scrapes read; null leaves a sample out. */
export function gauges(metrics: Metrics, labelNames: string[]) {
  return (name: string, help: string, samples: () => Promise<readonly Sample[]>): void => {
    new Gauge({
      ...{ name: `tidemark_${name}`, help, labelNames, registers: [metrics.registry] },
      async collect() {
        const known = await samples();
        if (labelNames.length > 0) this.reset();
        for (const [labels, value] of known) if (value !== null) this.set(labels, value);
      },
    });
  };
}
