import { All, Controller, HttpCode, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TakesAccessToken } from '../serve/access/keys/access-token.decorator.js';
import { TakesKeyHeader } from '../serve/access/keys/key-header.decorator.js';
import type { ApiError } from '../domain/errors/api-error.js';
import type { ApiResponse } from '../serve/http/request/api-request.js';
import { RawResponse } from '../serve/http/response/raw-response.decorator.js';
import { CachedMessages, resultHeaders } from './cached-messages.middleware.js';
import { isNotification, type Message } from './protocol/json-rpc.js';
import { errorIn, LibraryResponse } from './protocol/library-response.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import type { McpRequest } from './protocol/mcp-request.js';
import { McpServers } from './mcp-servers.js';

/** The MCP endpoint: runs the request pipeline of every route, then the library. */
@ApiExcludeController()
@TakesKeyHeader()
@TakesAccessToken()
@RawResponse()
@UseFilters(McpErrorFilter)
@Controller('mcp')
export class McpController {
  constructor(
    private readonly servers: McpServers,
    private readonly cached: CachedMessages,
  ) {}

  @Post()
  @HttpCode(200)
  async post(@Req() request: McpRequest, @Res() response: ApiResponse): Promise<void> {
    if (request.fault !== undefined) throw request.fault;
    const message = request.body as Message;
    // The service is stateless, so a notification changes nothing.
    if (isNotification(message)) {
      const { locale } = request.context;
      const headers = { 'cache-control': 'no-store', 'content-language': locale, 'content-length': 0 };
      response.writeHead(202, headers).end();
      return;
    }
    // Responses are always JSON, so clients need not accept event streams, which the library requires.
    request.headers.accept = 'application/json, text/event-stream';
    const key = this.cached.keyOf(request);
    const captured = new LibraryResponse(request);
    await this.servers.handlerOf(request.toolSet).handlePost(request, captured);
    const bytes = await captured.whole;
    const error = faultOf(request) ?? errorIn(captured.statusCode, bytes, message);
    if (error !== null) throw error;
    if (key !== null && captured.statusCode === 200) this.cached.keep(key, request, bytes);
    response.writeHead(captured.statusCode, resultHeaders(request.context.locale, bytes.length));
    response.end(bytes);
  }

  @All()
  refuse(@Req() request: McpRequest): never {
    throw request.fault ?? new Error('Only POST passes the request pipeline');
  }
}

/** A handler that the library runs sets it, because the library has its own texts for errors. */
function faultOf({ fault }: McpRequest): ApiError | null {
  return fault ?? null;
}
