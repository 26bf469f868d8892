import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ApiError } from '../domain/errors/api-error.js';
import type { ApiResponse } from '../serve/http/request/api-request.js';
import { asApiError, isFailure } from '../serve/http/response/error.filter.js';
import { ErrorResponses } from '../serve/http/response/error-responses.service.js';
import { sendOrDestroy } from '../serve/http/response/response-writer.service.js';
import { Log } from '../serve/log/log.js';
import { idOf, isMessage, RpcError, rpcCodeOf } from './protocol/json-rpc.js';
import type { McpRequest } from './protocol/mcp-request.js';
import { withQuotedEchoes } from './protocol/quoted-text.js';
import { TextRenderer } from './text/text-renderer.service.js';

/** The last resort if building the error fails; the header has the request id. */
const INTERNAL_ERROR = Buffer.from(
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'Internal error' } }),
);

/** Sends errors from before a tool runs: status and headers of the error table, the body as JSON-RPC. */
@Catch()
@Injectable()
export class McpErrorFilter implements ExceptionFilter {
  constructor(
    private readonly errorResponses: ErrorResponses,
    private readonly renderer: TextRenderer,
    private readonly log: Log,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<McpRequest>();
    const response = http.getResponse<ApiResponse>();
    try {
      const error = asApiError(thrown);
      if (isFailure(error)) this.log.failure(request.context.id, thrown);
      if (response.headersSent) response.destroy();
      else this.send(request, response, error);
    } catch (failure) {
      this.log.failure(request.context.id, failure);
      sendOrDestroy(response, INTERNAL_ERROR);
    }
  }

  private send(request: McpRequest, response: ApiResponse, error: ApiError): void {
    const body: unknown = request.body;
    const { locale } = request.context;
    const quoted = withQuotedEchoes(error);
    const { status, headers, envelope } = this.errorResponses.create(quoted, locale, request.context.id);
    const { error: problem } = envelope;
    // If the text of the error fails, the problem is another error.
    const rpc = error instanceof RpcError && problem.code === error.code ? error : null;
    const fault = {
      code: rpc?.rpcCode ?? rpcCodeOf(status, body !== undefined),
      // Many clients show only the message.
      message: this.renderer.faults(problem).join(' ') || problem.detail,
      data: { ...problem, ...rpc?.data },
    };
    // A model reads results of tools, and no errors of the protocol: it must learn how long to wait.
    const isLimit = status === 429 && isMessage(body) && body.method === 'tools/call';
    const text = `${fault.data.code}: ${fault.message}`;
    const outcome = isLimit
      ? { result: { content: [{ type: 'text', text }], isError: true, _meta: { 'tidemark/error': problem } } }
      : { error: fault };
    const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: idOf(body), ...outcome }));
    response.writeHead(rpc?.httpStatus ?? status, {
      ...headers,
      'content-language': locale,
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }
}
