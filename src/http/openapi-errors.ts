import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from '../errors/errors.js';
import { LIMIT_HEADERS, RETRY_HEADERS } from './openapi-headers.js';
import { ProblemEnvelope } from './problem.schema.js';

/** What every route under the prefix can answer, whatever it serves. */
export const GATE_ERRORS = [
  'malformed_request',
  'invalid_parameter',
  'key_in_query',
  'missing_key',
  'invalid_key',
  'revoked_key',
  'account_suspended',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'uri_too_long',
  'minute_limit_exceeded',
  'day_limit_exceeded',
  'too_many_failed_attempts',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/** One response a status, with the codes it stands for. */
export function ApiErrors(codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, same]) =>
      ApiResponse({
        status,
        description: same.map((code) => `\`${code}\``).join(', '),
        standardSchema: ProblemEnvelope,
        headers: {
          ...(status >= 402 && status < 500 && LIMIT_HEADERS),
          ...(same.some((code) => ERRORS[code].retryAfter) && RETRY_HEADERS),
        },
      }),
    ),
  );
}
