import { Gauge } from 'prom-client';
import { lastKnown } from './last-known.js';
import type { Metrics } from './metrics.js';

export interface ReleaseTimes {
  readonly publisher: string;
  readonly expectedAt: Date;
  readonly overdueAt: Date;
}

export interface ReleaseSource {
  readonly dataVersion: number;
  /** The release with the next figure of each publisher. */
  expected(): Promise<readonly ReleaseTimes[]>;
}

/** Registers when releases are expected. Queries the database only after the data version has moved. */
export function watchReleases(metrics: Metrics, source: ReleaseSource): void {
  const releases = lastKnown<{ readonly at: number; readonly times: readonly ReleaseTimes[] }>(
    { at: -1, times: [] },
    async (known) => {
      const at = source.dataVersion;
      return at === known.at ? known : { at, times: await source.expected() };
    },
  );
  const gauge = (name: string, help: string, value: (times: ReleaseTimes) => Date) =>
    new Gauge({
      ...{ name: `tidemark_release_${name}_timestamp_seconds`, help, labelNames: ['publisher'] },
      registers: [metrics.registry],
      async collect() {
        const { times } = await releases();
        this.reset();
        for (const one of times) this.set({ publisher: one.publisher }, value(one).getTime() / 1_000);
      },
    });
  gauge('expected', 'When the publisher releases its next figure, by its timetable', (one) => one.expectedAt);
  gauge('overdue', 'When that release is overdue: the end of the timetable’s grace', (one) => one.overdueAt);
}
