import { Injectable, type ExecutionContext, type Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Heartbeat } from '../../../store/heartbeat.js';
import type { RequestContext, SentParameters } from '../../responses/request-context.js';
import type { ApiRequest } from '../request/api-request.js';
import { dependsOnPlan } from './plan-reach.decorator.js';
import { ownMember } from '../../../domain/names/own-member.js';

/** Nest's metadata of a handler's argument. */
interface Argument {
  readonly data?: string;
  readonly schema?: unknown;
}

/** A GET request that has been valid, so that nothing of it is parsed again. */
export interface KnownRequest {
  /** Route and validated parameters. */
  readonly key: string;
  readonly query: SentParameters;
  readonly dependsOnPlan: boolean;
  readonly controller: Type;
  /** Express's route, for the log. */
  readonly route: unknown;
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
  private readonly requests = new LRUCache<string, KnownRequest>({
    maxSize: MEMO_SIZE,
    // The query repeats the URL.
    sizeCalculation: ({ key }, url) => key.length + 2 * url.length,
  });

  constructor(private readonly heartbeat: Heartbeat) {}

  /** Null if a parameter is invalid: nothing is cached. */
  of(context: ExecutionContext, request: ApiRequest): string | null {
    // Before the router, there is no other URL.
    const url = (request as Partial<ApiRequest>).originalUrl ?? request.url;
    const known = this.known(url) ?? this.learn(context, request);
    return known === null ? null : this.keyOf(known, request.context);
  }

  /** A URL that the whole request pipeline has accepted. */
  known(url: string): KnownRequest | undefined {
    return this.requests.get(url);
  }

  private keyOf({ dependsOnPlan, key }: KnownRequest, { caller, today }: RequestContext): string {
    const plan = dependsOnPlan ? (caller?.plan ?? '') : '';
    return `${this.heartbeat.latest.dataVersion} ${today} ${plan} ${key}`;
  }

  private learn(context: ExecutionContext, request: ApiRequest): KnownRequest | null {
    const type = context.getClass();
    const key = requestKeyOf(type, context.getHandler().name, request);
    if (key === null) return null;
    const { query } = request.context;
    const route: unknown = request.route;
    const known = { key, query, dependsOnPlan: dependsOnPlan(type), controller: type, route };
    this.requests.set(request.originalUrl, known);
    return known;
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
    const parsed = schema.safeParse(data === '' ? sent : ownMember(sent, data));
    if (!parsed.success) return null;
    values.push(parsed.data);
  }
  return JSON.stringify([type.name, handler, ...values]);
}
