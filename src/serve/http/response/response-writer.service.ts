import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../domain/errors/api-error.js';
import { DEFAULT_LOCALE } from '../../../domain/locale/locale.js';
import { Log } from '../../log/log.js';
import type { RequestContext } from '../../responses/request-context.js';
import { HTTP_SETTINGS, type HttpSettings } from '../settings.js';
import { SerializedResponse, type EncodedBody, matchesEtag } from './serialized-response.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { chooseCoding } from './negotiation.js';
import { ErrorResponses } from './error-responses.service.js';

/** A response in the coding that the client accepts. */
export class EncodedResponse {
  constructor(
    readonly response: SerializedResponse,
    readonly body: EncodedBody,
  ) {}
}

/** Sends all responses: coded bodies, 304s and errors. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly errorResponses: ErrorResponses,
    private readonly log: Log,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {}

  async encode(request: Pick<ApiRequest, 'headers'>, answer: SerializedResponse): Promise<EncodedResponse> {
    return new EncodedResponse(answer, await answer.encode(chooseCoding(request.headers['accept-encoding'])));
  }

  /** @param own further headers, for a response that no middleware has given any */
  send(
    request: ApiRequest,
    target: ServerResponse,
    { response, body }: EncodedResponse,
    own: Readonly<Record<string, string>> = request.limitHeaders ?? {},
  ): void {
    const fresh = response.status === 200 && matchesEtag(request.headers['if-none-match'], body.etag);
    const headers: Record<string, string | number> = {
      ...own,
      ...response.headers,
      'content-language': response.locale,
      ...(response.status === 200 && { etag: body.etag }),
      ...(response.nextCursor !== null && { link: this.linkToNext(request.context, response.nextCursor) }),
    };
    if (fresh) {
      target.writeHead(304, headers).end();
      return;
    }
    headers['content-type'] ??= 'application/json; charset=utf-8';
    headers['content-length'] = request.contentLength = body.bytes.length;
    if (body.coding !== 'identity') headers['content-encoding'] = body.coding;
    target.writeHead(response.status, headers);
    if (request.method === 'HEAD') target.end();
    else target.end(body.bytes);
  }

  /** Cached bytes serve every spelling of a request, so the link is made for the request that is answered. */
  private linkToNext({ path, query }: RequestContext, cursor: string): string {
    // Validated: each parameter is one text.
    const search = new URLSearchParams({ ...(query as Readonly<Record<string, string>>), cursor });
    return `<${this.settings.baseUrl}${path}?${search.toString()}>; rel="next"`;
  }

  /** Sends the response of any exception. Never rejects: if this fails too, it sends `internal_error`. */
  async sendError(request: ApiRequest, response: ApiResponse, error: ApiError): Promise<void> {
    const { id, locale } = request.context;
    request.error = error;
    try {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const { status, headers, envelope } = this.errorResponses.create(error, locale, id);
      const answer = new SerializedResponse(status, headers, locale, Buffer.from(JSON.stringify(envelope)));
      this.send(request, response, await this.encode(request, answer));
    } catch (failure) {
      this.log.failure(id, failure);
      sendOrDestroy(response, this.errorResponses.internalError(DEFAULT_LOCALE, id));
    }
  }
}

/** The last resort: constant bytes, or a closed connection if the head is sent already. */
export function sendOrDestroy(response: ApiResponse, bytes: Buffer): void {
  try {
    if (response.headersSent) response.destroy();
    else {
      response.writeHead(500, {
        'cache-control': 'no-store',
        'content-language': DEFAULT_LOCALE,
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
      });
      response.end(response.req.method === 'HEAD' ? undefined : bytes);
    }
  } catch {
    response.destroy();
  }
}
