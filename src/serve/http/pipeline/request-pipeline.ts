import { Inject, Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ApiKeyGuard } from '../../access/keys/api-key.guard.js';
import { PUBLIC } from '../../access/keys/public.decorator.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import { PlanThrottlerGuard } from '../../limits/plan-throttler.guard.js';
import { LoadShedder } from '../overload/load-shedder.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { headError, varyAndCors } from '../request/early-checks.middleware.js';
import { KeptResponses } from '../response/kept-responses.service.js';
import { acceptsJson } from '../response/negotiation.js';
import { RAW_RESPONSE } from '../response/raw-response.decorator.js';
import { HTTP_SETTINGS, type HttpSettings } from '../settings.js';
import type { Entrance, Headers } from './entrance.js';

/**
 * Admits every request, once: identifies the caller, looks for a kept response, counts the request and negotiates. The
 * guards state the rules; an entrance states what its protocol adds. A request whose response is kept leaves before
 * the router; every other one meets the same admission as the guard of its route.
 */
@Injectable()
export class RequestPipeline implements CanActivate {
  private readonly entrances = new Map<Type, Entrance>();
  private readonly origins: ReadonlySet<string>;

  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeyGuard,
    private readonly throttler: PlanThrottlerGuard,
    private readonly loadShedder: LoadShedder,
    private readonly responses: KeptResponses,
    @Inject(HTTP_SETTINGS) { corsOrigins }: HttpSettings,
  ) {
    this.origins = new Set(corsOrigins);
  }

  /** Requests to this controller enter by `entrance`. */
  open(controller: Type, entrance: Entrance): void {
    this.entrances.set(controller, entrance);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.admit(context);
    return true;
  }

  /** @throws ApiError for a request that is refused */
  admit(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return (request.admission ??= this.decide(request, context));
  }

  /**
   * Sends kept responses; it leaves everything else to the router, refusals included.
   * @param hardening the headers that the router's middleware would set
   */
  middleware(hardening: Headers) {
    return (request: ApiRequest, response: ApiResponse, next: () => void): void => {
      const known = this.knownOf(request);
      if (known === undefined) {
        next();
        return;
      }
      const context = new ExecutionContextHost([request, response], known.controller);
      const send = async (): Promise<void> => {
        await this.admit(context);
        if (request.kept === undefined) {
          next();
          return;
        }
        const { headers, context: own } = request;
        await known.entrance.send(request, response, {
          ...hardening,
          ...varyAndCors(headers.origin, this.origins),
          'x-request-id': own.id,
          ...request.limitHeaders,
        });
      };
      // The guard of the route meets the same refusal, and the filter reports it.
      send().catch(() => (response.headersSent ? response.destroy() : next()));
    };
  }

  /** Undefined for a request that no entrance knows, and for one that the early checks would refuse or change. */
  private knownOf(request: ApiRequest): { controller: Type; entrance: Entrance } | undefined {
    for (const entrance of [this.responses, ...this.entrances.values()]) {
      const controller = entrance.controllerOf(request);
      if (controller === undefined) continue;
      const isOrdinary = request.headers.upgrade === undefined && headError(request) === null;
      return isOrdinary ? { controller, entrance } : undefined;
    }
    return undefined;
  }

  private async decide(request: ApiRequest, context: ExecutionContext): Promise<void> {
    const controller = context.getClass();
    if (this.reflector.get<boolean | undefined>(PUBLIC, controller) === true) return;
    await this.apiKeys.canActivate(context);
    const fault = await this.look(request, context);
    await this.throttler.canActivate(context);
    if (fault !== undefined) throw fault;
  }

  /**
   * Looks for a kept response.
   * @returns the fault of the request, which the response reports once the request has been counted
   * @throws ApiError `unavailable` under overload without a kept response, which therefore costs no request of the plan
   */
  private async look(request: ApiRequest, context: ExecutionContext): Promise<ApiError | undefined> {
    const entrance = this.entranceOf(context.getClass());
    if (entrance === undefined) return undefined;
    try {
      request.isFree = entrance.isFree;
      if (entrance.method !== undefined && request.method !== entrance.method) throw notAllowed(entrance.method);
      if (!acceptsJson(request.headers.accept)) throw new ApiError('not_acceptable');
      request.kept = await entrance.find(request, context);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    const { cacheMisses } = this.loadShedder;
    if (request.kept !== undefined || request.isFree || !cacheMisses.isFull()) return undefined;
    cacheMisses.reject();
    throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
  }

  /** Undefined for a path without a route: its error precedes every other one. */
  private entranceOf(controller: Type): Entrance | undefined {
    const own = this.entrances.get(controller);
    if (own !== undefined) return own;
    const isRaw = this.reflector.get<boolean | undefined>(RAW_RESPONSE, controller) === true;
    return isRaw ? undefined : this.responses;
  }
}

function notAllowed(method: string): ApiError {
  return new ApiError('method_not_allowed', { detail: 'post', headers: { allow: `${method}, OPTIONS` } });
}
