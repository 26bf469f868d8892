import type { NextFunction } from 'express';
import type { ApiError } from '../../../domain/errors/api-error.js';
import type { RecentUsage } from '../../limits/recent-usage.js';
import type { RefusedRequest } from '../../limits/usage.entity.js';
import type { Log } from '../../log/log.js';
import { API_PREFIX } from '../../responses/url-builder.service.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { onResponseEnd } from '../overload/on-response-end.js';
import type { Metrics } from '../../metrics/metrics.js';

/** Of what an owner sees of a refused request. */
const [MOST_PATH, MOST_PARAMETERS, MOST_NAME] = [200, 5, 50];

/** Writes one line per request, when its last byte is sent or its connection closes, and notes a refusal for its owner. */
export function requestLog(log: Log, recent: Pick<RecentUsage, 'refuse'>) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const startedAt = performance.now();
    onResponseEnd(request, response, () => {
      const { id, caller } = request.context;
      if (request.error !== undefined && caller !== undefined)
        recent.refuse(caller.accountId, refusalOf(request, response.statusCode, request.error));
      log.request({
        requestId: id,
        account: caller?.accountId ?? null,
        plan: caller?.plan ?? null,
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        // Not the parameters: a caller chooses their names, and may send a key as one.
        ...(request.error !== undefined && { code: request.error.code }),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        bytes: request.contentLength ?? Number(response.getHeader('content-length') ?? 0),
        ...(request.traceId !== undefined && { trace_id: request.traceId }),
        ...((request.countedBy === 'lease' || request.countedBy === 'fallback') && { limits: request.countedBy }),
        ...(!response.writableFinished && { error: 'client closed' }),
      });
    });
    next();
  };
}

function refusalOf({ context, method, path }: ApiRequest, status: number, { code, details }: ApiError): RefusedRequest {
  const parameters = (details.faults ?? []).map(({ parameter }) => parameter.slice(0, MOST_NAME));
  return {
    at: context.receivedAt.toISOString(),
    times: 1,
    method,
    path: path.slice(0, MOST_PATH),
    status,
    code,
    parameters: [...new Set(parameters)].slice(0, MOST_PARAMETERS),
  };
}

/** The route's pattern: the URL itself may contain anything. */
export function routeOf({ route }: ApiRequest): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  if (typeof path !== 'string') return '-';
  return path.includes('*path') ? `${API_PREFIX}/*` : path;
}

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
