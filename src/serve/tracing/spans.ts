import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

let tracer: Tracer | undefined;

/** Enables tracing with a tracer; null disables it. */
export function traceWith(chosen: Tracer | null): void {
  tracer = chosen ?? undefined;
}

/** Runs `work` in a span of this name; without tracing it only runs `work`. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const active = context.active();
  // Work outside a request, such as the heartbeat, starts no trace.
  if (tracer === undefined || trace.getSpan(active) === undefined) return work();
  return tracer.startActiveSpan(name, { attributes }, active, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A child span that the caller ends; undefined outside a trace. */
export function childSpan(name: string, attributes: Attributes): Span | undefined {
  const active = context.active();
  if (tracer === undefined || trace.getSpan(active) === undefined) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, active);
}

/**
 * The span of an HTTP request, in the client's trace if `traceparent` names one. Other propagation headers are ignored:
 * their content is the client's and would be passed on unchecked.
 */
export function requestSpan(method: string, traceparent: unknown): { span: Span; within: Context } | undefined {
  if (tracer === undefined) return undefined;
  const parent = typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
  return { span, within: trace.setSpan(parent, span) };
}

/** Records the kind of an error only: its message may contain user input. */
export function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', kindOf(error));
}

function kindOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)) return code;
  return error instanceof Error ? error.name : 'unknown';
}
