import { Gauge } from 'prom-client';
import { lastKnown } from './last-known.js';
import type { Metrics } from './metrics.js';

/** Registers how many deliveries wait for a decision. */
export function watchHeldDeliveries(metrics: Metrics, count: () => Promise<number>): void {
  const held = lastKnown(0, count);
  new Gauge({
    name: 'tidemark_held_deliveries',
    help: 'Deliveries that the audit held and nobody has accepted or dropped',
    registers: [metrics.registry],
    async collect() {
      this.set(await held());
    },
  });
}
