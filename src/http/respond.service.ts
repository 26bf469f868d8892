import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../locale/locale.js';
import { Answer, type CodedBody, matchesEtag } from './answer.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { chooseCoding } from './negotiation.js';
import { Problems } from './problem.service.js';
import { MAX_URL_BYTES, parseQuery } from './query.js';

const PLAIN_LOCALE = /[?&]locale=([a-z]{2})(?:&|$)/;

/** An answer with the coding that this client gets. */
export class Sendable {
  constructor(
    readonly answer: Answer,
    readonly body: CodedBody,
  ) {}
}

/** The one place where bytes leave: coded answers, 304s and errors. */
@Injectable()
export class Responder {
  constructor(private readonly problems: Problems) {}

  async prepare(request: ApiRequest, answer: Answer): Promise<Sendable> {
    return new Sendable(answer, await answer.coded(chooseCoding(request.headers['accept-encoding'])));
  }

  send(request: ApiRequest, response: ApiResponse, { answer, body }: Sendable): void {
    const fresh = answer.status === 200 && matchesEtag(request.headers['if-none-match'], body.etag);
    const headers: Record<string, string | number> = {
      ...answer.headers,
      'content-language': answer.locale,
      ...(answer.status === 200 && { etag: body.etag }),
    };
    if (fresh) {
      response.writeHead(304, headers).end();
      return;
    }
    headers['content-type'] = 'application/json; charset=utf-8';
    headers['content-length'] = body.bytes.length;
    if (body.coding !== 'identity') headers['content-encoding'] = body.coding;
    response.writeHead(answer.status, headers);
    if (request.method === 'HEAD') response.end();
    else response.end(body.bytes);
  }

  /** Whatever went wrong, as the error table says it; what is not in the table is `internal_error`. */
  async fail(request: ApiRequest, response: ApiResponse, error: ApiError): Promise<void> {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const locale = requestedLocale(request);
    const envelope = this.problems.envelope(error, locale, request.requestId);
    const answer = new Answer(
      error.status,
      this.problems.headers(error),
      locale,
      Buffer.from(JSON.stringify(envelope)),
    );
    this.send(request, response, await this.prepare(request, answer));
  }
}

/** The locale that the request names, where it names one that exists, and names it once. */
export function requestedLocale(request: { readonly url?: string | undefined }): Locale {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  // An escape may stand for a letter of the name.
  if (start < 0 || !/locale|%/.test(url)) return DEFAULT_LOCALE;
  // An address that is refused for its length must not cost what taking it apart would.
  const locale =
    url.length > MAX_URL_BYTES ? PLAIN_LOCALE.exec(url)?.[1] : parseQuery(url.slice(start + 1)).locale;
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}
