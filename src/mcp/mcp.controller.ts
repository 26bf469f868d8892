import { All, Controller, HttpCode, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MCP_HTTP_HANDLER, type McpHttpHandler } from '@rekog/mcp-nest';
import { TakesAccessToken } from '../access/access-token.decorator.js';
import { TakesKeyHeader } from '../access/key-header.decorator.js';
import type { ApiResponse } from '../http/request/api-request.js';
import { RawResponse } from '../http/response/raw-response.decorator.js';
import { isNotification, type Message } from './json-rpc.js';
import { errorIn, LibraryResponse } from './library-response.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import type { McpRequest } from './mcp-request.js';

/** The MCP endpoint: runs the request pipeline of every route, then the library. */
@ApiExcludeController()
@TakesKeyHeader()
@TakesAccessToken()
@RawResponse()
@UseFilters(McpErrorFilter)
@Controller('mcp')
export class McpController {
  constructor(@Inject(MCP_HTTP_HANDLER) private readonly handler: McpHttpHandler) {}

  @Post()
  @HttpCode(200)
  async post(@Req() request: McpRequest, @Res() response: ApiResponse): Promise<void> {
    if (request.fault !== undefined) throw request.fault;
    const message = request.body as Message;
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-language', request.context.locale);
    // The service is stateless, so a notification changes nothing.
    if (isNotification(message)) {
      response.writeHead(202, { 'content-length': 0 }).end();
      return;
    }
    // Responses are always JSON, so clients need not accept event streams, which the library requires.
    request.headers.accept = 'application/json, text/event-stream';
    const captured = new LibraryResponse(request);
    await this.handler.handlePost(request, captured);
    const bytes = await captured.whole;
    const error = errorIn(captured.statusCode, bytes, message);
    if (error !== null) throw error;
    response.writeHead(captured.statusCode, {
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }

  @All()
  refuse(@Req() request: McpRequest): never {
    throw request.fault ?? new Error('Only POST passes the request pipeline');
  }
}
