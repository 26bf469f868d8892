import type { Request, Response } from 'express';
import type { Caller } from '../access/call-context.js';
import { API_PREFIX } from '../answers/addresses.service.js';

/** An Express request with what the gate found out about it. */
export interface ApiRequest extends Request {
  requestId: string;
  /** On the service's clock, which tests replace. */
  receivedAt: Date;
  startedAt: number;
  caller?: Caller;
  /** Asks for no content, so it costs no request of the plan. */
  isFree?: boolean;
  /** Which store counted it. */
  countedBy?: 'memory' | 'redis' | 'fallback';
}

export type ApiResponse = Response;

/** Everything under the prefix is the service: guarded, limited, enveloped. */
export function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}
