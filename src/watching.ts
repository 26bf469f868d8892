import type { DataSource } from 'typeorm';
import type { Config } from './config/config.js';
import type { Pulse } from './database/pulse.js';
import type { Readers } from './database/readers.js';
import { poolOf } from './database/snapshots.js';
import type { Readiness } from './health/readiness.js';
import type { ApiRequest, ApiResponse } from './http/api-request.js';
import { requestMetrics } from './http/request-metrics.js';
import { requestTrace } from './http/request-trace.js';
import type { UsageLedger } from './limits/usage-ledger.js';
import type { WindowStore } from './limits/window-store.js';
import type { Log } from './log/log.js';
import { watchImports, type LastImport } from './metrics/imports.js';
import type { Metrics } from './metrics/metrics.js';
import { serveMetrics } from './metrics/metrics-server.js';
import type { States } from './metrics/states.js';
import { startTracing, type TracingSettings } from './tracing/tracing.js';

export interface WatchedParts {
  readonly database: DataSource;
  readonly pulse: Pulse;
  readonly readiness: Readiness;
  readonly limits: WindowStore;
  readonly ledger: UsageLedger;
  readonly readers: Readers;
  readonly metrics: Metrics;
  readonly states: States;
}

export type Observer = (request: ApiRequest, response: ApiResponse, next: () => void) => void;

export interface Watching {
  /** See every request before anything else does, in this order. Empty where nobody watches. */
  readonly observers: readonly Observer[];
  close(): Promise<void>;
}

/** An import describes its revision by publisher and vintage. */
const LAST_IMPORTS = `
  SELECT split_part(description, ':', 1) AS publisher, max(published_at) AS "publishedAt"
  FROM revisions WHERE kind IN ('import', 'backfill', 'replace') GROUP BY 1 ORDER BY 1`;

/** Metrics where a port is configured for them, traces where a collector is; else nothing that costs anything. */
export async function openWatching(config: Config, parts: WatchedParts, log: Log): Promise<Watching> {
  const watching: Watching[] = [];
  if (config.traces !== null) watching.push(await openTraces(config.traces, log));
  if (config.metricsPort !== null) {
    watching.push(await openMetrics({ host: config.host, port: config.metricsPort }, parts));
  }
  return {
    observers: watching.flatMap(({ observers }) => observers),
    close: async () => {
      await Promise.all(watching.map((one) => one.close()));
    },
  };
}

async function openTraces(settings: TracingSettings, log: Log): Promise<Watching> {
  const tracing = await startTracing(settings, (message) => log.warn(message));
  return { observers: [requestTrace], close: () => tracing.close() };
}

async function openMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  parts: WatchedParts,
): Promise<Watching> {
  const { database, pulse, readiness, limits, ledger, readers, metrics, states } = parts;
  metrics.watchProcess();
  states.watch({ readiness, pulse, limits, usage: ledger, readers });
  states.watchPool('primary', poolOf(database));
  watchImports(metrics, {
    get revision() {
      return pulse.latest.revision;
    },
    lastImports: () => database.query<LastImport[]>(LAST_IMPORTS),
  });
  const server = await serveMetrics(metrics, host, port);
  return { observers: [requestMetrics(metrics)], close: () => server.close() };
}
