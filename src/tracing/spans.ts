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

/** Turned on once, at the start, where a collector is configured; a null turns it off again. */
export function traceWith(chosen: Tracer | null): void {
  tracer = chosen ?? undefined;
}

/** Runs `work` inside a span of this name. Without tracing it is `work` and nothing else. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const active = context.active();
  // Work that nobody's request asked for, such as the pulse, makes no traces of its own.
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

/** A span that the caller ends itself; undefined where there is nothing to be part of. */
export function childSpan(name: string, attributes: Attributes): Span | undefined {
  const active = context.active();
  if (tracer === undefined || trace.getSpan(active) === undefined) return undefined;
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, active);
}

/**
 * The span of a request that came in, as part of the caller's trace where it names one. Of what a caller sends
 * only that name is believed: the rest would pass on, unread, whatever stands in it.
 */
export function requestSpan(
  method: string,
  traceparent: unknown,
): { span: Span; within: Context } | undefined {
  if (tracer === undefined) return undefined;
  const parent =
    typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
  return { span, within: trace.setSpan(parent, span) };
}

/** Says only of which kind an error is: its text may hold what a caller sent. */
export function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', kindOf(error));
}

function kindOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code)) return code;
  return error instanceof Error ? error.name : 'unknown';
}
