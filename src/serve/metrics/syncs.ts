import { Counter, Gauge } from 'prom-client';
import { lastKnown } from './last-known.js';
import type { Metrics } from './metrics.js';

/** The attempts to import a publisher's releases. */
export interface SyncState {
  readonly publisher: string;
  /** Of the last attempt that was new or nothing new. */
  readonly succeededAt: Date | null;
  readonly dueAt: Date | null;
  /** Failed attempts since the last one with another outcome. */
  readonly failures: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Registers the attempts of `tidemark sync`, from its table, so they are the same on every instance. */
export function watchSyncs(metrics: Metrics, read: () => Promise<readonly SyncState[]>): void {
  const syncs = lastKnown<readonly SyncState[]>([], read);
  const registers = [metrics.registry];
  const gauge = (name: string, help: string, value: (state: SyncState) => number | null) =>
    new Gauge({
      ...{ name: `tidemark_sync_${name}`, help, labelNames: ['publisher'], registers },
      async collect() {
        for (const state of await syncs()) {
          const known = value(state);
          if (known !== null) this.set({ publisher: state.publisher }, known);
        }
      },
    });
  const seconds = (date: Date | null): number | null => date && date.getTime() / 1_000;
  gauge('success_timestamp_seconds', 'When sync last imported the publisher, or found nothing new', (state) =>
    seconds(state.succeededAt),
  );
  gauge('due_timestamp_seconds', 'When the publisher is due for sync', (state) => seconds(state.dueAt));
  gauge('failures', 'Failed attempts since the last one that did not fail', (state) => state.failures);
  new Counter({
    name: 'tidemark_sync_attempts_total',
    help: 'Attempts of sync by outcome',
    labelNames: ['publisher', 'outcome'],
    registers,
    async collect() {
      const states = await syncs();
      this.reset();
      for (const { publisher, outcomes } of states) {
        for (const [outcome, count] of Object.entries(outcomes)) this.inc({ publisher, outcome }, count);
      }
    },
  });
}
