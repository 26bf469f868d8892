import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ApiResponse } from '../http/api-request.js';
import { asApiError, isFailure } from '../http/api-error.filter.js';
import { Problems } from '../http/problem.service.js';
import { Log } from '../log/log.js';
import { idOf, localeOf, rpcCodeOf } from './json-rpc.js';
import type { McpRequest } from './mcp-request.js';

/** What stops a message before a tool: the HTTP status and headers of the error table, the body as JSON-RPC. */
@Catch()
@Injectable()
export class McpErrorFilter implements ExceptionFilter {
  constructor(
    private readonly problems: Problems,
    private readonly log: Log,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<McpRequest>();
    const response = http.getResponse<ApiResponse>();
    const error = asApiError(thrown);
    if (isFailure(error)) this.log.failure(request.requestId, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body: unknown = request.body;
    const locale = localeOf(body);
    const { error: problem } = this.problems.envelope(error, locale, request.requestId);
    const bytes = Buffer.from(
      JSON.stringify({
        jsonrpc: '2.0',
        id: idOf(body),
        // Many clients show the message and nothing else.
        error: {
          code: rpcCodeOf(error.status, body !== undefined),
          message: problem.detail,
          data: problem,
        },
      }),
    );
    response.writeHead(error.status, {
      ...this.problems.headers(error),
      'content-language': locale,
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }
}
