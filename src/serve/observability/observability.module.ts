import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { Heartbeat } from '../../store/heartbeat.js';
import { ReadRouter } from '../../store/read-router.js';
import { poolOf } from '../../store/snapshots.js';
import { Readiness } from '../health/readiness.js';
import type { ApiRequest, ApiResponse } from '../http/request/api-request.js';
import { requestMetrics } from '../http/request/request-log.js';
import { requestTrace } from '../http/request/request-trace.js';
import { LIMITS } from '../limits/limits.module.js';
import type { Limits } from '../limits/limits.js';
import { Log } from '../log/log.js';
import { watchDatabase } from '../metrics/database-metrics.js';
import { Metrics } from '../metrics/metrics.js';
import { serveMetrics, type MetricsServer } from '../metrics/metrics-server.js';
import { Gauges } from '../metrics/gauges.js';
import { startTracing, type Tracing } from '../tracing/tracing.js';

/** Middleware that sees every request before all others. */
export type Observer = (request: ApiRequest, response: ApiResponse, next: () => void) => void;

/** The observers in their order; none without a collector and a metrics port. */
export const OBSERVERS = Symbol('Observers');
const TRACING = Symbol('Tracing');

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
    watchDatabase(metrics, database, () => heartbeat.latest.dataVersion);
    this.server = await serveMetrics(metrics, host, metricsPort);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.server?.close(), this.tracing?.close()]);
  }
}
