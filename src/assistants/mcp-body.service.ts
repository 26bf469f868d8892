import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../domain/errors/api-error.js';
import { acceptsJson } from '../serve/http/response/negotiation.js';
import { HTTP_SETTINGS, type HttpSettings } from '../serve/http/settings.js';
import { AllowedOrigins } from './protocol/allowed-origins.js';
import { checkedMessage, checkVersionHeader } from './check-message.js';
import { isMessage, returnsContent } from './protocol/json-rpc.js';
import type { McpRequest } from './protocol/mcp-request.js';
import { sentArguments } from './arguments/sent-arguments.js';
import { toolSetIn } from './calls/tool-set.js';
import { readBody } from './protocol/read-body.js';

/**
 * Reads and checks the body of a request to the MCP endpoint, once: it determines the cost. It keeps a fault of the body
 * until the request has been counted, so that such requests are limited too.
 */
@Injectable()
export class McpBody {
  private readonly origins: AllowedOrigins;

  constructor(@Inject(HTTP_SETTINGS) { baseUrl, mcpOrigins }: HttpSettings) {
    this.origins = new AllowedOrigins(baseUrl, mcpOrigins);
  }

  read(request: McpRequest): Promise<void> {
    return (request.bodyRead ??= this.readOnce(request));
  }

  private async readOnce(request: McpRequest): Promise<void> {
    request.isFree = true;
    try {
      await this.check(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      request.fault = error;
    }
  }

  private async check(request: McpRequest): Promise<void> {
    const { headers, method } = request;
    if (!this.origins.allow(headers.origin, headers.host)) throw new ApiError('origin_not_allowed');
    if (method !== 'POST') {
      throw new ApiError('method_not_allowed', { detail: 'post', headers: { allow: 'POST, OPTIONS' } });
    }
    if (!acceptsJson(headers.accept)) throw new ApiError('not_acceptable');
    // A slow sender must not occupy a slot.
    const body = await (request.slot?.releaseWhile(() => readBody(request)) ?? readBody(request));
    request.body = body;
    if (!isMessage(body)) {
      throw new ApiError('malformed_request', { detail: Array.isArray(body) ? 'batch' : 'message' });
    }
    const { query } = request.context;
    request.context.query = sentArguments(body);
    // The library drops it before a tool could refuse it.
    if (Object.hasOwn(request.context.query, '__proto__')) {
      request.context.faults.add([{ parameter: '__proto__', reason: 'unknown_argument' }]);
    }
    request.isFree = !returnsContent(body);
    checkVersionHeader(headers['mcp-protocol-version'], body);
    const toolSet = toolSetIn(query);
    request.toolSet = toolSet;
    request.body = checkedMessage(body, toolSet);
    // A stream would stay open without ever sending anything: this service has no notifications.
    if (body.method === 'subscriptions/listen') throw new ApiError('not_found', { detail: 'listening' });
  }
}
