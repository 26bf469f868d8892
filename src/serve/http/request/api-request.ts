import type { Request, Response } from 'express';
import type { ApiError } from '../../../domain/errors/api-error.js';
import type { RateLimitBudget } from '../../limits/rate-limit-headers.js';
import { API_PREFIX } from '../../responses/url-builder.service.js';
import type { RequestSlot } from '../overload/load-shedder.js';
import type { BegunRequest } from './begin-request.js';

/** An Express request with the results of the request pipeline. */
export interface ApiRequest extends Request, Pick<BegunRequest, 'context' | 'targetFault'> {
  /** The trace of this request, if tracing is configured. */
  traceId?: string;
  /** Costs none of the plan's requests, because it returns no content. */
  isFree?: boolean;
  /** Its slot in the load shedder. */
  slot?: RequestSlot;
  /** Bytes of the response's body, where its writer set no header before the head. */
  contentLength?: number;
  /** The decision of the request pipeline, once for a request. */
  admission?: Promise<void>;
  /** The kept response that the request pipeline has found. */
  kept?: unknown;
  /** The store that counted it. */
  countedBy?: 'memory' | 'redis' | 'lease' | 'fallback';
  /** The limit headers of a kept response, which go out with its own in one step. */
  limitHeaders?: Readonly<Record<string, string>>;
  /** What remains after it. */
  budget?: RateLimitBudget;
  /** The exhausted window; null after admission. */
  refusedBy?: 'minute' | 'day' | null;
  /** The error of its response, or of the tool that it called. */
  error?: ApiError;
}

/** What a page reads of a request. */
export type RenderRequest = Pick<ApiRequest, 'context' | 'headers' | 'slot'>;

export type ApiResponse = Response;

/** Whether the path is under the API prefix: guarded, limited, enveloped. */
export function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}
