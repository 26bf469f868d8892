import type { NextFunction } from 'express';
import { KEY_ANYWHERE } from '../../access/keys/key-text.js';
import { API_PREFIX } from '../../responses/url-builder.service.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import { isApiPath, type ApiRequest, type ApiResponse } from './api-request.js';
import type { BegunRequest } from './begin-request.js';
import { isReadablePath } from './query-parser.js';
import type { ResponseWriter } from '../response/response-writer.service.js';

export const MAX_HEADER_BYTES = 16_384;

/** `key` is not one of them: it is what resources call the name of an item. */
const KEY_NAMES = new Set(['apikey', 'api_key', 'api-key', 'x-api-key', 'access_token', 'token']);
/** The targets of every unreadable path: no route matches them, so they are 404 behind the pipeline. */
const UNREADABLE_PATH = '/api/v1/-';
const UNREADABLE_PAGE = '/-';
/** The MCP endpoint. */
export const MCP_PATH = `${API_PREFIX}/mcp`;
const READ_HEADERS = 'authorization, if-none-match, x-request-id';
const MESSAGE_HEADERS =
  'authorization, x-api-key, content-type, x-request-id, mcp-protocol-version, mcp-method, mcp-name';
const VARY = { vary: 'authorization, accept-encoding' };
const VARY_BY_ORIGIN = { vary: 'authorization, accept-encoding, origin' };
const EXPOSED =
  'x-request-id, etag, link, retry-after, www-authenticate, content-language, x-ratelimit-limit-minute, x-ratelimit-limit-day, ' +
  'x-ratelimit-remaining-minute, x-ratelimit-remaining-day, ratelimit, ratelimit-policy';

/**
 * Checks that need no caller: size, a key in the URL, preflights. It runs first, so that every response has its
 * request id.
 */
export function earlyChecks(writer: ResponseWriter, corsOrigins: readonly string[]) {
  const origins = new Set(corsOrigins);
  return (request: ApiRequest, response: ApiResponse, next: NextFunction): void => {
    const { id, path } = request.context;
    response.setHeader('x-request-id', id);
    // This service upgrades no connection, but Node stops parsing one that asked for it: close it.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (isApiPath(path)) {
      const headers = varyAndCors(request.headers.origin, origins);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    }
    const refusal = errorIn(request);
    if (refusal !== null) void writer.sendError(request, response, refusal);
    else if (request.method === 'OPTIONS' && isApiPath(path)) answerOptions(request, response, origins);
    else {
      if (!isReadablePath(path)) {
        const nothing = isApiPath(path) ? UNREADABLE_PATH : UNREADABLE_PAGE;
        request.url = nothing + request.url.slice(path.length);
      }
      next();
    }
  };
}

function errorIn(request: ApiRequest): ApiError | null {
  const error = headError(request);
  if (error !== null) return error;
  return isApiPath(request.context.path) && holdsKey(request) ? new ApiError('key_in_query') : null;
}

/** What is wrong with the head of a request, apart from a key in its URL. */
export function headError(request: BegunRequest): ApiError | null {
  if (request.targetFault !== undefined) return new ApiError(request.targetFault);
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    return new ApiError('malformed_request');
  }
  if (isRepeated(request, 'authorization') || isRepeated(request, 'host')) {
    return new ApiError('malformed_request');
  }
  return headerBytes(request.rawHeaders) > MAX_HEADER_BYTES ? new ApiError('headers_too_large') : null;
}

/** Duplicates are refused: a proxy may have acted on the other one (request smuggling). */
function isRepeated({ headersDistinct }: BegunRequest, name: 'authorization' | 'host'): boolean {
  return (headersDistinct[name]?.length ?? 0) > 1;
}

function headerBytes(raw: readonly string[]): number {
  // Each header also costs ": " and a line end.
  return raw.reduce((sum, part) => sum + part.length + 2, 0);
}

/** Detects a key by its form anywhere, or by a parameter's name, percent-encoded or not. */
function holdsKey({ url, context }: ApiRequest): boolean {
  const ascii = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  if (KEY_ANYWHERE.test(url.replaceAll(/%([0-7][0-9a-f])/gi, ascii))) return true;
  return Object.keys(context.query).some((name) => KEY_NAMES.has(name.toLowerCase()));
}

/** For every response under the prefix. */
export function varyAndCors(
  origin: string | undefined,
  origins: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  if (origins.size === 0) return VARY;
  if (origin === undefined || (!origins.has(origin) && !origins.has('*'))) return VARY_BY_ORIGIN;
  return {
    ...VARY_BY_ORIGIN,
    'access-control-allow-origin': origins.has('*') ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
  };
}

function answerOptions(request: ApiRequest, response: ApiResponse, origins: ReadonlySet<string>): void {
  const preflight = origins.size > 0 && request.headers['access-control-request-method'] !== undefined;
  const posted = request.context.path === MCP_PATH;
  const allow = posted ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
  response.writeHead(204, {
    allow,
    'content-language': 'en',
    ...(preflight && {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': posted ? MESSAGE_HEADERS : READ_HEADERS,
      'access-control-max-age': '600',
    }),
  });
  response.end();
}
