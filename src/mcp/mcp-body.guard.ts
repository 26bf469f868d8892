import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { acceptsJson } from '../http/negotiation.js';
import { HTTP_SETTINGS, type HttpSettings } from '../http/settings.js';
import { AllowedOrigins } from './allowed-origins.js';
import { isMessage, isToolCall } from './json-rpc.js';
import { McpController } from './mcp.controller.js';
import type { McpRequest } from './mcp-request.js';
import { readBody } from './read-body.js';

/**
 * Between identifying and admitting, for the MCP endpoint only: what a body costs stands in the body. What is
 * wrong with it is kept until the request is admitted, so that such requests are bounded too.
 */
@Injectable()
export class McpBodyGuard implements CanActivate {
  private readonly origins: AllowedOrigins;

  constructor(@Inject(HTTP_SETTINGS) { baseUrl, mcpOrigins }: HttpSettings) {
    this.origins = new AllowedOrigins(baseUrl, mcpOrigins);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getClass() !== McpController) return true;
    const request = context.switchToHttp().getRequest<McpRequest>();
    request.isFree = true;
    try {
      await this.judge(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      request.fault = error;
    }
    return true;
  }

  private async judge(request: McpRequest): Promise<void> {
    const { headers, method } = request;
    if (!this.origins.allow(headers.origin, headers.host)) throw new ApiError('origin_not_allowed');
    if (method !== 'POST') {
      throw new ApiError('method_not_allowed', { detail: 'post', headers: { allow: 'POST, OPTIONS' } });
    }
    if (!acceptsJson(headers.accept)) throw new ApiError('not_acceptable');
    // A client that sends slowly keeps nobody waiting but itself.
    const body = await (request.seat?.whileWaiting(() => readBody(request)) ?? readBody(request));
    request.body = body;
    if (!isMessage(body)) {
      throw new ApiError('malformed_request', { detail: Array.isArray(body) ? 'batch' : 'message' });
    }
    // A stream that stays open would hold what nothing here ever sends.
    if (body.method === 'subscriptions/listen') throw new ApiError('not_found', { detail: 'listening' });
    request.isFree = !isToolCall(body);
  }
}
