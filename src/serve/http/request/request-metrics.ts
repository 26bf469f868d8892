import type { NextFunction } from 'express';
import type { Metrics } from '../../metrics/metrics.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { routeOf } from './request-log.js';
import { onResponseEnd } from '../overload/on-response-end.js';

/** Counts every response, also without a route and after a disconnect. */
export function requestMetrics(metrics: Metrics) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const cameAt = performance.now();
    metrics.requestBegins();
    onResponseEnd(request, response, () => {
      metrics.requestEnds({
        route: routeOf(request),
        method: request.method,
        status: response.statusCode,
        plan: request.context.caller?.plan ?? null,
        seconds: (performance.now() - cameAt) / 1_000,
        countedBy: request.countedBy,
        refusedBy: request.refusedBy,
      });
    });
    next();
  };
}
