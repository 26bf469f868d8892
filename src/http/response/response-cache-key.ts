import { Injectable, type ExecutionContext, type Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Heartbeat } from '../../database/heartbeat.js';
import type { ApiRequest } from '../request/api-request.js';
import { dependsOnPlan } from './plan-reach.decorator.js';

/** Nest's metadata of a handler's argument. */
interface Argument {
  readonly data?: string;
  readonly schema?: unknown;
}

const QUERY: number = RouteParamtypes.QUERY;
const PARAM: number = RouteParamtypes.PARAM;
/** The total length of cached URLs and their keys. */
const MEMO_SIZE = 4_000_000;

/**
 * The key of a cached response: route and validated parameters, so percent-encoding, parameter order and explicit
 * defaults do not matter. Each URL is parsed once. The key has the data version known before reading, so no response
 * is cached as newer than it is. The cursor names the version of its page, so a page of an older version has another
 * key.
 */
@Injectable()
export class ResponseCacheKeys {
  private readonly requestKeys = new LRUCache<string, string>({
    maxSize: MEMO_SIZE,
    sizeCalculation: (key, url) => key.length + url.length,
  });

  constructor(private readonly heartbeat: Heartbeat) {}

  /** Null if a parameter is invalid: nothing is cached. */
  of(context: ExecutionContext, request: ApiRequest): string | null {
    const { originalUrl } = request;
    const { caller, today } = request.context;
    const type = context.getClass();
    let requestKey = this.requestKeys.get(originalUrl) ?? null;
    if (requestKey === null) {
      requestKey = requestKeyOf(type, context.getHandler().name, request);
      if (requestKey === null) return null;
      this.requestKeys.set(originalUrl, requestKey);
    }
    const plan = dependsOnPlan(type) ? (caller?.plan ?? '') : '';
    return `${this.heartbeat.latest.dataVersion} ${today} ${plan} ${requestKey}`;
  }
}

function requestKeyOf(type: Type, handler: string, request: ApiRequest): string | null {
  const noted = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler) as Record<string, Argument>;
  const { query } = request;
  const values: unknown[] = [];
  for (const [key, { data = '', schema }] of Object.entries(noted)) {
    // Filled by our own decorator from values that are in the key already.
    if (key.includes(CUSTOM_ROUTE_ARGS_METADATA)) continue;
    const from = Number(key.split(':', 1)[0]);
    const isKnown = from === QUERY || from === PARAM;
    if (!isKnown || !(schema instanceof z.ZodType)) return null;
    const sent = from === QUERY ? query : request.params;
    const parsed = schema.safeParse(data === '' ? sent : sent[data]);
    if (!parsed.success) return null;
    values.push(parsed.data);
  }
  return JSON.stringify([type.name, handler, ...values]);
}
