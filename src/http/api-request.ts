import type { Request, Response } from 'express';
import type { Caller } from '../access/call-context.js';
import { API_PREFIX } from '../answers/addresses.service.js';
import type { Seat } from './load.js';

/** An Express request with what the gate found out about it. */
export interface ApiRequest extends Request {
  requestId: string;
  /** On the service's clock, which tests replace. */
  receivedAt: Date;
  startedAt: number;
  caller?: Caller;
  /** The trace that it is part of, where traces are made. */
  traceId?: string;
  /** The revision of the page that its cursor was shown on. */
  notBefore?: number;
  /** Asks for no content, so it costs no request of the plan. */
  isFree?: boolean;
  /** Its place among those that are being answered. */
  seat?: Seat;
  /** Which store counted it. */
  countedBy?: 'memory' | 'redis' | 'fallback';
  /** The window that had no room for it; null when it was admitted. */
  refusedBy?: 'minute' | 'day' | null;
}

export type ApiResponse = Response;

/** Everything under the prefix is the service: guarded, limited, enveloped. */
export function isApiPath(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`);
}
