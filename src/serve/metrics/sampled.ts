import { setTimeout as wait } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

/** How long a scrape waits for the database; after that it reports the last known value. */
const TIMEOUT_MS = 1_000;

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | null];
/** One value, or one for each combination of labels; null leaves it out. */
type Reading = number | readonly Sample[];

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

type Watch = (
  metrics: Pick<Metrics, 'registry'>,
  name: string,
  help: string,
  labelNames: string[],
  read: () => Reading | Promise<Reading>,
) => void;

/** Registers a gauge that each scrape reads. */
export const watchGauge: Watch = ({ registry }, name, help, labelNames, read) => {
  new Gauge({
    name: `tidemark_${name}`,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = samplesOf(await read());
      if (labelNames.length > 0) this.reset();
      for (const [labels, value] of samples) this.set(labels, value);
    },
  });
};

/** Registers a counter whose totals since the start each scrape reads. */
export const watchTotal: Watch = ({ registry }, name, help, labelNames, read) => {
  new Counter({
    name: `tidemark_${name}`,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = samplesOf(await read());
      this.reset();
      for (const [labels, value] of samples) this.inc(labels, value);
    },
  });
};

function samplesOf(reading: Reading): [labels: Sample[0], value: number][] {
  if (typeof reading === 'number') return [[{}, reading]];
  return reading.flatMap(([labels, value]) => (value === null ? [] : [[labels, value]]));
}
