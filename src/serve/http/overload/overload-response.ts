import type { ServerResponse } from 'node:http';
import { ApiError } from '../../../domain/errors/api-error.js';
import { LOCALES } from '../../../domain/locale/locale.js';
import { isApiPath } from '../request/api-request.js';
import type { ErrorResponses } from '../response/error-responses.service.js';
import type { BegunRequest } from '../request/begin-request.js';
import { varyAndCors } from '../request/early-checks.middleware.js';

/** Placeholder of the request id in a body that is otherwise constant. */
const ID_PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/**
 * The prebuilt 503 of an overloaded instance. It is sent thousands of times a second exactly when time is scarce, so
 * only the id is computed.
 */
export function overloadResponse(
  errorResponses: ErrorResponses,
  hardening: Readonly<Record<string, string>>,
  corsOrigins: readonly string[],
) {
  const origins = new Set(corsOrigins);
  const error = new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
  const headers = { ...hardening, ...errorResponses.headers(error), 'content-type': 'application/json; charset=utf-8' };
  const prepared = new Map(
    LOCALES.map((locale) => {
      const body = JSON.stringify(errorResponses.envelope(error, locale, ID_PLACEHOLDER));
      const [before = '', after = ''] = body.split(ID_PLACEHOLDER);
      const flat = Object.entries({ ...headers, 'content-language': locale }).flat();
      return [locale, { before, after, flat, bytes: Buffer.byteLength(before + after) }];
    }),
  );
  return (request: BegunRequest, response: ServerResponse): void => {
    const { id, locale, path } = request.context;
    const busy = prepared.get(locale);
    if (busy === undefined) throw new Error('A locale lacks its overload response');
    // Node sends a header array and a string body as one write, at half the cost of a header map and a buffer.
    response.writeHead(error.status, [
      ...busy.flat,
      ...(isApiPath(path) ? Object.entries(varyAndCors(request.headers.origin, origins)).flat() : []),
      'x-request-id',
      id,
      'content-length',
      // An id has ASCII characters only.
      String(busy.bytes + id.length),
    ]);
    response.end(request.method === 'HEAD' ? undefined : busy.before + id + busy.after);
  };
}
