import { All, Controller, HttpCode, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MCP_HTTP_HANDLER, type McpHttpHandler } from '@rekog/mcp-nest';
import { TakesKeyHeader } from '../access/key-header.decorator.js';
import type { ApiResponse } from '../http/api-request.js';
import { OwnShape } from '../http/own-shape.decorator.js';
import { localeOf } from './json-rpc.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import type { McpRequest } from './mcp-request.js';

/** The endpoint: behind the same gate as every route, then the library's. */
@ApiExcludeController()
@TakesKeyHeader()
@OwnShape()
@UseFilters(McpErrorFilter)
@Controller('mcp')
export class McpController {
  constructor(@Inject(MCP_HTTP_HANDLER) private readonly handler: McpHttpHandler) {}

  @Post()
  @HttpCode(200)
  async post(@Req() request: McpRequest, @Res() response: ApiResponse): Promise<void> {
    if (request.fault !== undefined) throw request.fault;
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-language', localeOf(request.body));
    // Answers are always JSON, so a client need not accept the other kind.
    request.headers.accept = 'application/json, text/event-stream';
    await this.handler.handlePost(request, response);
  }

  @All()
  refuse(@Req() request: McpRequest): never {
    throw request.fault ?? new Error('Only POST passes the gate');
  }
}
