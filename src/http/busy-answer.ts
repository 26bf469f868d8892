import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { LOCALES } from '../locale/locale.js';
import { isApiPath } from './api-request.js';
import type { Problems } from './problem.service.js';
import { requestedLocale } from './respond.service.js';
import { saneRequestId, varyAndCors } from './threshold.js';

/** Where the request's id goes in a body that is otherwise the same for all. */
const PLACE = '00000000-0000-4000-8000-000000000000';

/**
 * The 503 of an instance that has too much to do. It is made thousands of times a second just when there is no time
 * for it, so nothing is worked out but the id.
 */
export function busyAnswer(
  problems: Problems,
  hardening: Readonly<Record<string, string>>,
  corsOrigins: readonly string[],
) {
  const origins = new Set(corsOrigins);
  const error = new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
  const headers = {
    ...hardening,
    ...problems.headers(error),
    'content-type': 'application/json; charset=utf-8',
  };
  const prepared = new Map(
    LOCALES.map((locale) => {
      const body = JSON.stringify(problems.envelope(error, locale, PLACE));
      const [before = '', after = ''] = body.split(PLACE);
      const flat = Object.entries({ ...headers, 'content-language': locale }).flat();
      return [locale, { before, after, flat, bytes: Buffer.byteLength(before + after) }];
    }),
  );
  return (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = saneRequestId(request) ?? randomUUID();
    const busy = prepared.get(requestedLocale(request));
    if (busy === undefined) throw new Error('Every locale has its words');
    const underPrefix = isApiPath(request.url?.split('?', 1)[0] ?? '');
    // One list of headers and one text leave Node in one piece, at half the cost of a set and a buffer.
    response.writeHead(error.status, [
      ...busy.flat,
      ...(underPrefix ? varyAndCors(request.headers.origin, origins) : []),
      'x-request-id',
      requestId,
      'content-length',
      // An id has ASCII characters only.
      String(busy.bytes + requestId.length),
    ]);
    response.end(request.method === 'HEAD' ? undefined : busy.before + requestId + busy.after);
  };
}
