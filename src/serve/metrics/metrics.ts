import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export interface ObservedRequest {
  /** The route's pattern; `/api/v1/*` for any path without a route. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly plan: string | null;
  readonly seconds: number;
  /** The store that counted it; undefined if an earlier check refused it. */
  readonly countedBy?: 'memory' | 'redis' | 'lease' | 'fallback' | undefined;
  readonly refusedBy?: 'minute' | 'day' | null | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Counters and histograms for Prometheus. Every label has a closed set of values: never an account, a key or a
 * client's address.
 */
export class Metrics {
  readonly registry = new Registry();
  private open = 0;

  private readonly requests = this.counter('http_requests_total', 'Responses by route, method, status and plan', [
    'route',
    'method',
    'status',
    'plan',
  ]);
  private readonly durations = new Histogram({
    name: 'tidemark_http_request_duration_seconds',
    help: 'From the arrival of a request to the last byte of its response',
    labelNames: ['route', 'outcome'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly decisions = this.counter('limit_decisions_total', 'Rate limit decisions by outcome and store', [
    'decision',
    'via',
  ]);
  private readonly attempts = this.counter(
    'failed_attempts_total',
    'Wrong keys: counted against an address, or refused above its limit',
    ['outcome'],
  );
  private readonly signIns = this.counter('sign_ins_total', 'Sign-ins by password, by outcome', ['outcome']);
  private readonly shedding = this.counter('shed_requests_total', 'Requests rejected under overload, by reason', [
    'reason',
  ]);
  private readonly tools = this.counter('mcp_tool_calls_total', 'Tool calls by tool and outcome', ['tool', 'outcome']);
  private readonly unwritten = this.counter('usage_failures_total', 'Failed writes of usage');

  private readonly rejections = this.counter(
    'unhandled_rejections_total',
    'Promise rejections without a handler, which the process survived',
  );

  private readonly notifications = this.counter(
    'notifications_total',
    'Attempts to notify of an alert, by channel and outcome',
    ['channel', 'outcome'],
  );

  constructor() {
    // Start at 0: increase() cannot see the step from absent to 1.
    for (const reason of ['requests', 'cache_misses']) this.shedding.inc({ reason }, 0);
    for (const outcome of ['counted', 'refused']) this.attempts.inc({ outcome }, 0);
    for (const outcome of ['accepted', 'refused', 'delayed']) this.signIns.inc({ outcome }, 0);
    for (const channel of ['email', 'webhook']) {
      for (const outcome of ['delivered', 'failed', 'dead']) this.notifications.inc({ channel, outcome }, 0);
    }
    this.unwritten.inc(0);
    this.rejections.inc(0);
  }

  /** Requests without a complete response. */
  get inFlight(): number {
    return this.open;
  }

  requestBegins(): void {
    this.open += 1;
  }

  requestEnds({ route, method, status, plan, seconds, countedBy, refusedBy }: ObservedRequest): void {
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

  /** @param admitted whether the address is within its limit */
  failedAttempt(admitted: boolean): void {
    this.attempts.inc({ outcome: admitted ? 'counted' : 'refused' });
  }

  /** @param outcome `delayed`: refused without looking at the password, after too many attempts */
  signIn(outcome: 'accepted' | 'refused' | 'delayed'): void {
    this.signIns.inc({ outcome });
  }

  shed(reason: 'requests' | 'cache_misses'): void {
    this.shedding.inc({ reason });
  }

  toolCalled(tool: string, outcome: 'ok' | 'error'): void {
    this.tools.inc({ tool, outcome });
  }

  usageUnwritten(): void {
    this.unwritten.inc();
  }

  /** @param outcome `failed`: another attempt follows; `dead`: none */
  notified(channel: 'email' | 'webhook', outcome: 'delivered' | 'failed' | 'dead', count: number): void {
    this.notifications.inc({ channel, outcome }, count);
  }

  rejectionUnhandled(): void {
    this.rejections.inc();
  }

  /** Adds the process's own metrics: memory, descriptors, CPU, event loop, garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `tidemark_${name}`, help, labelNames, registers: [this.registry] });
  }
}

function outcomeOf(status: number): string {
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'ok';
}
