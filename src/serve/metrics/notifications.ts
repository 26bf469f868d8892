import { setTimeout as wait } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.js';

const TIMEOUT_MS = 1_000;

/** Registers for how long the oldest notification has been due. A scrape that waits in vain reports the last value. */
export function watchNotifications(metrics: Metrics, lateness: () => Promise<number>): void {
  let known = 0;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    known = await lateness();
  };
  new Gauge({
    name: 'tidemark_notifications_lateness_seconds',
    help: 'For how long the oldest notification has been due; 0 if none is',
    registers: [metrics.registry],
    async collect() {
      reading ??= read()
        .catch(() => undefined)
        .finally(() => (reading = undefined));
      await Promise.race([reading, wait(TIMEOUT_MS, undefined, { ref: false })]);
      this.set(known);
    },
  });
}
