import type { NextFunction } from 'express';
import type { Log } from '../log/log.js';
import { API_PREFIX } from '../answers/addresses.service.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { whenOver } from './when-over.js';

/** One line a request, written when its last byte has left or its client has gone. */
export function requestLog(log: Log) {
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    whenOver(request, response, () => {
      log.request({
        requestId: request.requestId,
        account: request.caller?.accountId ?? null,
        plan: request.caller?.plan ?? null,
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        ms: Math.round((performance.now() - request.startedAt) * 10) / 10,
        bytes: Number(response.getHeader('content-length') ?? 0),
        ...(request.traceId !== undefined && { trace_id: request.traceId }),
        ...(request.countedBy === 'fallback' && { limits: 'fallback' as const }),
        ...(!response.writableFinished && { error: 'client closed' }),
      });
    });
    next();
  };
}

/** The pattern that took the request: an address as sent may hold anything. */
export function routeOf({ route }: ApiRequest): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  if (typeof path !== 'string') return '-';
  return path.includes('*') ? `${API_PREFIX}/*` : path;
}
