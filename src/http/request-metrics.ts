import type { NextFunction } from 'express';
import type { Metrics } from '../metrics/metrics.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { routeOf } from './request-log.js';
import { whenOver } from './when-over.js';

/** Every answer counts, also one that never came as far as a route or whose client went away. */
export function requestMetrics(metrics: Metrics) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const cameAt = performance.now();
    metrics.requestBegins();
    whenOver(request, response, () => {
      metrics.requestEnds({
        route: routeOf(request),
        method: request.method,
        status: response.statusCode,
        plan: request.caller?.plan ?? null,
        seconds: (performance.now() - cameAt) / 1_000,
        countedBy: request.countedBy,
        refusedBy: request.refusedBy,
      });
    });
    next();
  };
}
