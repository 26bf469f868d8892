import { ApiExtension } from '@nestjs/swagger';
import { ApiError, type ApiErrorDetails } from '../errors/api-error.js';
import { ERRORS, type ErrorCode } from '../errors/errors.js';
import { LOCALES } from '../locale/locale.js';
import type { ProblemEnvelope } from './problem.schema.js';
import type { Problems } from './problem.service.js';
import { COMMON_HEADERS, headersOf, LIMIT_HEADERS, type HeaderName } from './openapi-headers.js';

/** What every route under the prefix can answer, whatever it serves. */
export const GATE_ERRORS = [
  'invalid_parameter',
  'malformed_request',
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

/** Judged before the account's limits are looked at: these answers have no limit headers. */
const BEFORE_LIMITS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'malformed_request',
  'key_in_query',
  'missing_key',
  'invalid_key',
  'revoked_key',
  'uri_too_long',
  'too_many_failed_attempts',
  'headers_too_large',
  'unavailable',
]);

/** The extension of an operation that lists the codes it can answer. */
export const CODES = 'x-error-codes';

export function ApiErrors(codes: readonly ErrorCode[]) {
  return ApiExtension(CODES, [...codes]);
}

/** The codes of an operation by status, each under the name that its response has among the components. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const same = codes.filter((code) => ERRORS[code].status === status);
    const common = (GATE_ERRORS as readonly ErrorCode[]).filter((code) => ERRORS[code].status === status);
    const own = common.length === 0 ? [] : same.filter((code) => !common.includes(code));
    return { status, codes: same, name: [`Error${status}`, ...own].join('_') };
  });
}

/** One response, with an example in the service's own words for each code that it stands for. */
export function errorResponse(codes: readonly ErrorCode[], problems: Problems) {
  const examples = codes.map((code) => {
    const value = exampleError(code, problems);
    return [code, { summary: value.error.title, value }] as const;
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headersOf(codes.flatMap(headerNames)),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ProblemEnvelope' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** An answer with this error, in the words that are served. */
export function exampleError(code: ErrorCode, problems: Problems): ProblemEnvelope {
  return problems.envelope(new ApiError(code, SAMPLES[code] ?? {}), 'en', 'a3f2c9d0-4b1e');
}

function headerNames(code: ErrorCode): HeaderName[] {
  const { status, retryAfter } = ERRORS[code];
  return [
    ...COMMON_HEADERS,
    ...(retryAfter ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
    ...(BEFORE_LIMITS.has(code) ? [] : LIMIT_HEADERS),
  ];
}

const SAMPLES: Readonly<Partial<Record<ErrorCode, ApiErrorDetails>>> = {
  invalid_parameter: {
    faults: [
      { parameter: 'locale', reason: 'not_in_set', allowed: LOCALES },
      { parameter: 'local', reason: 'unknown', allowed: ['locale'] },
    ],
  },
  minute_limit_exceeded: { retryAfterSeconds: 12 },
  day_limit_exceeded: { retryAfterSeconds: 30_600 },
  too_many_failed_attempts: { retryAfterSeconds: 41 },
};
