import { ApiExtension } from '@nestjs/swagger';
import { ApiError, type ApiErrorDetails } from '../../../domain/errors/api-error.js';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../domain/errors/errors.js';
import { LOCALES } from '../../../domain/locale/locale.js';
import type { ProblemEnvelope } from '../response/problem.schema.js';
import type { ErrorResponses } from '../response/error-responses.service.js';
import { COMMON_HEADERS, headersOf, LIMIT_HEADERS, type HeaderName } from './headers.js';

/** Errors that every route under the prefix can return. */
export const PIPELINE_ERRORS = ERROR_CODES.filter((code) => ERRORS[code].met !== 'some_routes');

/** OpenAPI extension that lists the error codes of an operation. */
export const CODES = 'x-error-codes';

export function ApiErrors(codes: readonly ErrorCode[]) {
  return ApiExtension(CODES, [...codes]);
}

/** The codes of an operation by status, with the component name of each response. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const same = codes.filter((code) => ERRORS[code].status === status);
    const common = PIPELINE_ERRORS.filter((code) => ERRORS[code].status === status);
    const own = common.length === 0 ? [] : same.filter((code) => !common.includes(code));
    return { status, codes: same, name: [`Error${status}`, ...own].join('_') };
  });
}

/** One response, with an example for each of its codes. */
export function errorResponse(codes: readonly ErrorCode[], errorResponses: ErrorResponses) {
  const examples = codes.map((code) => {
    const value = exampleError(code, errorResponses);
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

/** The response body of this error, as it is served. */
export function exampleError(code: ErrorCode, errorResponses: ErrorResponses): ProblemEnvelope {
  return errorResponses.envelope(new ApiError(code, SAMPLES[code] ?? {}), 'en', 'a3f2c9d0-4b1e');
}

function headerNames(code: ErrorCode): HeaderName[] {
  const { status, retryAfter, met } = ERRORS[code];
  return [
    ...COMMON_HEADERS,
    ...(retryAfter ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
    ...(met === 'before_limits' ? [] : LIMIT_HEADERS),
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
