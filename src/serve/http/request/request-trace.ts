import { context, SpanStatusCode } from '@opentelemetry/api';
import type { NextFunction } from 'express';
import { requestSpan } from '../../tracing/spans.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { routeOf } from './request-log.js';
import { onResponseEnd } from '../overload/on-response-end.js';

/** Creates the span of a request. It omits the URL, which may contain anything. */
export function requestTrace(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
  const traced = requestSpan(request.method, request.headers.traceparent);
  if (traced === undefined) {
    next();
    return;
  }
  const { span, within } = traced;
  request.traceId = span.spanContext().traceId;
  onResponseEnd(request, response, () => {
    const route = routeOf(request);
    const { statusCode } = response;
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': statusCode,
      ...(request.context.caller && { 'tidemark.plan': request.context.caller.plan }),
      ...(request.countedBy && { 'tidemark.limits': request.countedBy }),
      ...(!response.writableFinished && { 'tidemark.client_closed': true }),
    });
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(within, next);
}
