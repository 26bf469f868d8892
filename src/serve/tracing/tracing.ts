import { setTimeout as wait } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { traceWith } from './spans.js';
import { traceStatements } from './sql-spans.js';

export interface TracingSettings {
  /** The collector's address for traces, OTLP over HTTP. */
  readonly url: string;
  readonly service: string;
}

export interface Tracing {
  /** Sends the pending spans, with a time limit: an unreachable collector does not delay the shutdown. */
  close(): Promise<void>;
}

const FLUSH_MS = 2_000;
const WARN_EVERY_MS = 60_000;

/** Starts tracing. Loads the library only here: without a collector it costs no memory. */
export async function startTracing(
  { url, service }: TracingSettings,
  warn: (message: string) => void,
): Promise<Tracing> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  diag.setLogger(seldom(warn), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  traceWith(provider.getTracer('tidemark'));
  const restore = traceStatements();
  return {
    close: async () => {
      traceWith(null);
      restore();
      await Promise.race([provider.shutdown().catch(() => undefined), wait(FLUSH_MS, undefined, { ref: false })]);
      for (const part of [trace, context, propagation, diag]) part.disable();
    },
  };
}

/** Limits the warnings: an unreachable collector causes one per batch. */
function seldom(warn: (message: string) => void) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const say = (): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    // The library's own message contains URLs and stacks.
    warn('traces cannot be sent to the collector; they are dropped for now');
  };
  const silent = (): void => undefined;
  return { error: say, warn: say, info: silent, debug: silent, verbose: silent };
}
