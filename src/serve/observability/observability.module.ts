import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { expectedReleases, type NewestFigure } from '../../domain/figures/timetable.js';
import { Heartbeat } from '../../store/heartbeat.js';
import { ReadRouter } from '../../store/read-router.js';
import { poolOf } from '../../store/snapshots.js';
import { Readiness } from '../health/readiness.js';
import type { ApiRequest, ApiResponse } from '../http/request/api-request.js';
import { requestMetrics } from '../http/request/request-metrics.js';
import { requestTrace } from '../http/request/request-trace.js';
import { LIMITS } from '../limits/limits.module.js';
import type { Limits } from '../limits/limits.js';
import { Log } from '../log/log.js';
import { watchHeldDeliveries } from '../metrics/held-deliveries.js';
import { watchImports, type LastImport } from '../metrics/imports.js';
import { Metrics } from '../metrics/metrics.js';
import { watchReleases } from '../metrics/releases.js';
import { watchSyncs, type SyncState } from '../metrics/syncs.js';
import { serveMetrics, type MetricsServer } from '../metrics/metrics-server.js';
import { Gauges } from '../metrics/gauges.js';
import { NEWEST_FIGURES } from '../../store/sources/newest-figures.js';
import { startTracing, type Tracing } from '../tracing/tracing.js';

/** Middleware that sees every request before all others. */
export type Observer = (request: ApiRequest, response: ApiResponse, next: () => void) => void;

/** The observers in their order; none without a collector and a metrics port. */
export const OBSERVERS = Symbol('Observers');
const TRACING = Symbol('Tracing');

/** The description of an import begins with the publisher. */
const LAST_IMPORTS = `
  SELECT split_part(description, ':', 1) AS publisher, max(published_at) AS "publishedAt"
  FROM publications WHERE kind IN ('import', 'backfill', 'replace') GROUP BY 1 ORDER BY 1`;

const HELD_DELIVERIES = "SELECT count(*)::int AS count FROM held_deliveries WHERE state = 'held'";

const SYNCS = `
  SELECT publisher, max(ended_at) FILTER (WHERE outcome IN ('new', 'nothing new')) AS "succeededAt",
         (array_agg(next_at ORDER BY id DESC) FILTER (WHERE outcome IS NOT NULL))[1] AS "dueAt",
         count(*) FILTER (WHERE outcome = 'failed' AND id > other)::int AS failures,
         jsonb_build_object(
           'new', count(*) FILTER (WHERE outcome = 'new'),
           'nothing_new', count(*) FILTER (WHERE outcome = 'nothing new'),
           'held', count(*) FILTER (WHERE outcome = 'held'),
           'failed', count(*) FILTER (WHERE outcome = 'failed')) AS outcomes
  FROM (SELECT *, coalesce(max(id) FILTER (WHERE outcome <> 'failed') OVER (PARTITION BY publisher), 0) AS other
        FROM sync_attempts) a
  GROUP BY publisher`;

/** Metrics and traces. The metrics server and the tracing library load only if they are configured. */
@Global()
@Module({
  providers: [
    Metrics,
    Gauges,
    {
      provide: TRACING,
      inject: [CONFIG, Log],
      useFactory: ({ traces }: Config, log: Log) =>
        traces === null ? null : startTracing(traces, (message) => log.warn(message)),
    },
    {
      provide: OBSERVERS,
      inject: [CONFIG, TRACING, Metrics],
      useFactory: ({ metricsPort }: Config, tracing: Tracing | null, metrics: Metrics): Observer[] => [
        ...(tracing === null ? [] : [requestTrace]),
        ...(metricsPort === null ? [] : [requestMetrics(metrics)]),
      ],
    },
  ],
  exports: [Metrics, Gauges, OBSERVERS],
})
export class ObservabilityModule implements OnModuleInit, OnApplicationShutdown {
  private server: MetricsServer | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TRACING) private readonly tracing: Tracing | null,
    private readonly metrics: Metrics,
    private readonly gauges: Gauges,
    private readonly database: DataSource,
    private readonly heartbeat: Heartbeat,
    private readonly readRouter: ReadRouter,
    private readonly readiness: Readiness,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  async onModuleInit(): Promise<void> {
    const { metrics, gauges, heartbeat, readRouter, readiness, limits, database } = this;
    const { host, metricsPort } = this.config;
    if (metricsPort === null) return;
    metrics.watchProcess();
    gauges.watch({ readiness, heartbeat, limits, usage: limits.usage, readRouter });
    gauges.watchPool('primary', poolOf(database));
    watchImports(metrics, {
      get dataVersion() {
        return heartbeat.latest.dataVersion;
      },
      lastImports: () => database.query<LastImport[]>(LAST_IMPORTS),
    });
    watchHeldDeliveries(metrics, async () => {
      const [held] = await database.query<{ count: number }[]>(HELD_DELIVERIES);
      return held?.count ?? 0;
    });
    watchSyncs(metrics, () => database.query<SyncState[]>(SYNCS));
    watchReleases(metrics, {
      get dataVersion() {
        return heartbeat.latest.dataVersion;
      },
      expected: async () => expectedReleases(await database.query<NewestFigure[]>(NEWEST_FIGURES)),
    });
    this.server = await serveMetrics(metrics, host, metricsPort);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.server?.close(), this.tracing?.close()]);
  }
}
