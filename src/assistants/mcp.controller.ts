import { All, Controller, HttpCode, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TakesAccessToken } from '../serve/access/keys/access-token.decorator.js';
import { TakesKeyHeader } from '../serve/access/keys/key-header.decorator.js';
import { RequestPipeline } from '../serve/http/pipeline/request-pipeline.js';
import type { ApiResponse } from '../serve/http/request/api-request.js';
import { RawResponse } from '../serve/http/response/raw-response.decorator.js';
import { McpEntrance } from './mcp-entrance.service.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpServers } from './mcp-servers.js';
import { isNotification, type Message } from './protocol/json-rpc.js';
import type { McpRequest } from './protocol/mcp-request.js';
import { errorIn } from './protocol/message-transport.js';

/** The MCP endpoint: the library responds to a message that the request pipeline has admitted. */
@ApiExcludeController()
@TakesKeyHeader()
@TakesAccessToken()
@RawResponse()
@UseFilters(McpErrorFilter)
@Controller('mcp')
export class McpController {
  constructor(
    private readonly servers: McpServers,
    private readonly entrance: McpEntrance,
    pipeline: RequestPipeline,
  ) {
    entrance.controller = McpController;
    pipeline.open(McpController, entrance);
  }

  @All()
  @HttpCode(200)
  async respond(@Req() request: McpRequest, @Res() response: ApiResponse): Promise<void> {
    const message = request.body as Message;
    if (request.kept !== undefined) this.entrance.send(request, response);
    // The service is stateless, so a notification changes nothing.
    else if (isNotification(message)) {
      const { locale } = request.context;
      const headers = { 'cache-control': 'no-store', 'content-language': locale, 'content-length': 0 };
      response.writeHead(202, headers).end();
    } else {
      const made = await this.servers.of(request.toolSet).handle(request);
      const error = errorOf(request) ?? errorIn(made, message);
      if (error !== null) throw error;
      this.entrance.respond(request, response, (made.body as { readonly result: object }).result);
    }
  }
}

/** A handler that the library runs sets it, because the library has its own texts for errors. */
const errorOf = ({ fault }: McpRequest) => fault ?? null;
