import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface SeenRequest {
  /** The route's pattern; one for all that no route takes. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly plan: string | null;
  readonly seconds: number;
  /** Where it was counted, if it came so far. */
  readonly countedBy?: 'memory' | 'redis' | 'fallback' | undefined;
  readonly refusedBy?: 'minute' | 'day' | null | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * What happens, as numbers for Prometheus: plain methods for whoever sees it happen. Every label has a closed set
 * of values, none of them an account, a key or an address as sent.
 */
export class Metrics {
  readonly registry = new Registry();
  private open = 0;

  private readonly requests = this.counter(
    'http_requests_total',
    'Answers by route, method, status and plan',
    ['route', 'method', 'status', 'plan'],
  );
  private readonly durations = new Histogram({
    name: 'tidemark_http_request_duration_seconds',
    help: 'From the arrival of a request to the last byte of its answer',
    labelNames: ['route', 'outcome'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly decisions = this.counter(
    'limit_decisions_total',
    'Requests judged, by verdict and store',
    ['decision', 'via'],
  );
  private readonly attempts = this.counter(
    'failed_attempts_total',
    'Wrong keys: counted against an address, or refused since it had too many',
    ['outcome'],
  );
  private readonly shedding = this.counter('shed_requests_total', 'Requests turned away unread, by reason', [
    'reason',
  ]);
  private readonly tools = this.counter('mcp_tool_calls_total', 'Tool calls by tool and outcome', [
    'tool',
    'outcome',
  ]);
  private readonly unwritten = this.counter('usage_failures_total', 'Times that usage could not be written');

  constructor() {
    // What an alert asks the increase of must be there before it first happens.
    for (const reason of ['requests', 'answers']) this.shedding.inc({ reason }, 0);
    for (const outcome of ['counted', 'refused']) this.attempts.inc({ outcome }, 0);
    this.unwritten.inc(0);
  }

  /** Requests that have come and not yet been answered. */
  get inFlight(): number {
    return this.open;
  }

  requestBegins(): void {
    this.open += 1;
  }

  requestEnds({ route, method, status, plan, seconds, countedBy, refusedBy }: SeenRequest): void {
    this.open -= 1;
    this.requests.inc({
      route,
      method: METHODS.has(method) ? method : 'other',
      status: String(status),
      plan: plan ?? 'none',
    });
    this.durations.observe({ route, outcome: outcomeOf(status) }, seconds);
    if (countedBy === undefined) return;
    this.decisions.inc({ decision: refusedBy == null ? 'admitted' : `refused_${refusedBy}`, via: countedBy });
  }

  /** @param admitted whether the address may still try */
  failedAttempt(admitted: boolean): void {
    this.attempts.inc({ outcome: admitted ? 'counted' : 'refused' });
  }

  /** @param reason of what there were too many: requests at once, or answers to be made anew */
  shed(reason: 'requests' | 'answers'): void {
    this.shedding.inc({ reason });
  }

  toolCalled(tool: string, outcome: 'ok' | 'error'): void {
    this.tools.inc({ tool, outcome });
  }

  usageUnwritten(): void {
    this.unwritten.inc();
  }

  /** Watches the process itself too: memory, descriptors, CPU, event loop, garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  private counter<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name: `tidemark_${name}`, help, labelNames, registers: [this.registry] });
  }
}

function outcomeOf(status: number): string {
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'ok';
}
