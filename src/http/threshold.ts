import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction } from 'express';
import { KEY_ANYWHERE } from '../access/key-text.js';
import { API_PREFIX } from '../answers/addresses.service.js';
import { ApiError } from '../errors/api-error.js';
import { isApiPath, type ApiRequest, type ApiResponse } from './api-request.js';
import { isReadablePath, MAX_URL_BYTES, parseQuery } from './query.js';
import type { Responder } from './respond.service.js';

export const MAX_HEADER_BYTES = 16_384;

const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const KEY_NAMES = new Set(['key', 'apikey', 'api_key', 'api-key', 'x-api-key', 'access_token', 'token']);
/** Named by nobody: where a path goes that cannot be read, to be judged like any other unknown one. */
const UNREADABLE_PATH = '/api/v1/-';
/** The one address that messages are posted to. */
const MESSAGES_PATH = `${API_PREFIX}/mcp`;
const QUESTION_HEADERS = 'authorization, if-none-match, x-request-id';
const MESSAGE_HEADERS =
  'authorization, x-api-key, content-type, x-request-id, mcp-protocol-version, mcp-method, mcp-name';
const VARY = ['vary', 'authorization, accept-encoding'];
const VARY_BY_ORIGIN = ['vary', 'authorization, accept-encoding, origin'];
const EXPOSED =
  'x-request-id, etag, link, retry-after, content-language, x-ratelimit-limit-minute, x-ratelimit-limit-day, ' +
  'x-ratelimit-remaining-minute, x-ratelimit-remaining-day, ratelimit, ratelimit-policy';

/**
 * What is judged before anyone is identified: size, a key in the address, preflights. The first middleware
 * of all, so every response carries its request id.
 */
export function threshold(responder: Responder, corsOrigins: readonly string[], now: () => Date) {
  const origins = new Set(corsOrigins);
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    request.receivedAt = now();
    request.startedAt = performance.now();
    request.requestId = saneRequestId(request) ?? randomUUID();
    response.setHeader('x-request-id', request.requestId);
    request.url = originForm(request.url);
    // Nothing is upgraded here, but Node reads nothing more from such a connection: it must not be used again.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const path = request.url.split('?', 1)[0] ?? '';
    if (isApiPath(path)) {
      const headers = varyAndCors(request.headers.origin, origins);
      for (let at = 0; at < headers.length; at += 2) {
        response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
      }
    }
    const refusal = refuse(request, path);
    if (refusal !== null) void responder.fail(request, response, refusal);
    else if (request.method === 'OPTIONS' && isApiPath(path)) answerOptions(request, response, origins);
    else {
      if (isApiPath(path) && !isReadablePath(path)) {
        request.url = UNREADABLE_PATH + request.url.slice(path.length);
      }
      next();
    }
  };
}

/** The id that the client gave, where it is one that can stand in a log. */
export function saneRequestId({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-request-id'];
  // It is echoed and logged: a key put there by mistake is not.
  return typeof sent === 'string' && SANE_ID.test(sent) && !KEY_ANYWHERE.test(sent) ? sent : undefined;
}

/** A target may name the whole address; what it names of the host is the proxy's business. */
function originForm(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, '').replace(/^(?!\/|\*)/, '/');
}

function refuse(request: ApiRequest, path: string): ApiError | null {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return new ApiError('malformed_request');
  }
  if (isRepeated(request, 'authorization') || isRepeated(request, 'host')) {
    return new ApiError('malformed_request');
  }
  if (Buffer.byteLength(request.url) > MAX_URL_BYTES) return new ApiError('uri_too_long');
  if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) return new ApiError('headers_too_large');
  return isApiPath(path) && holdsKey(request.url, path) ? new ApiError('key_in_query') : null;
}

/** Two of these, and a proxy before us may have judged by the other. */
function isRepeated({ headersDistinct }: ApiRequest, name: string): boolean {
  return (headersDistinct[name]?.length ?? 0) > 1;
}

function headerBytes(raw: readonly string[]): number {
  // Each name and value stands with ": " or a line end.
  return raw.reduce((sum, part) => sum + part.length + 2, 0);
}

/** By its form wherever it stands, or by the name of a parameter, also where they are percent-encoded. */
function holdsKey(url: string, path: string): boolean {
  const ascii = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  if (KEY_ANYWHERE.test(url.replaceAll(/%([0-7][0-9a-f])/gi, ascii))) return true;
  if (path.length === url.length) return false;
  return Object.keys(parseQuery(url.slice(path.length + 1))).some((name) =>
    KEY_NAMES.has(name.toLowerCase()),
  );
}

/** Names and values in turn: on every answer under the prefix. */
export function varyAndCors(origin: string | undefined, origins: ReadonlySet<string>): readonly string[] {
  if (origins.size === 0) return VARY;
  if (origin === undefined || (!origins.has(origin) && !origins.has('*'))) return VARY_BY_ORIGIN;
  const allowed = origins.has('*') ? '*' : origin;
  return [
    ...VARY_BY_ORIGIN,
    'access-control-allow-origin',
    allowed,
    'access-control-expose-headers',
    EXPOSED,
  ];
}

function answerOptions(request: ApiRequest, response: ApiResponse, origins: ReadonlySet<string>): void {
  const preflight = origins.size > 0 && request.headers['access-control-request-method'] !== undefined;
  const posted = request.path === MESSAGES_PATH;
  const allow = posted ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
  response.writeHead(204, {
    allow,
    'content-language': 'en',
    ...(preflight && {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': posted ? MESSAGE_HEADERS : QUESTION_HEADERS,
      'access-control-max-age': '600',
    }),
  });
  response.end();
}
