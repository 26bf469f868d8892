import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/errors.js';
import { enveloped, envelopedPage } from './envelope.schema.js';
import { ApiErrors, GATE_ERRORS } from './openapi-errors.js';
import { COMMON_HEADERS, headersOf, LIMIT_HEADERS } from './openapi-headers.js';

interface Described {
  /** Verb and noun: the name of the method in a generated client, and of its example answers. */
  readonly operation: string;
  /** Six words or less. */
  readonly summary: string;
  /** What it gives, in which order, and what an empty answer looks like. */
  readonly description: string;
  /** Errors that only this route has, beside those that every route has. */
  readonly errors?: readonly ErrorCode[];
}

type Answered = Described &
  (
    | { readonly page: z.ZodType }
    | {
        readonly data: z.ZodType;
        /** The page lies inside `data`. */
        readonly paged?: boolean;
      }
  );

/** Describes a route once, from the schemas it validates with: summary, answer, headers and every error. */
export function Answers(answered: Answered) {
  const { operation, summary, description, errors = [] } = answered;
  const paged = 'page' in answered || answered.paged === true;
  const data = 'page' in answered ? answered.page : answered.data;
  const validated = [...COMMON_HEADERS, 'ETag', ...LIMIT_HEADERS] as const;
  return applyDecorators(
    ApiOperation({ operationId: operation, summary, description }),
    ApiOkResponse({
      description: 'The answer, with its sources in `meta`',
      standardSchema: paged ? envelopedPage(data) : enveloped(data),
      headers: headersOf(paged ? [...validated, 'Link'] : validated),
    }),
    ApiResponse({
      status: 304,
      description: 'Nothing has changed since the ETag sent as `If-None-Match`; it counts as a request',
      headers: headersOf(validated),
    }),
    ApiErrors([...GATE_ERRORS, ...(paged ? (['invalid_cursor'] as const) : []), ...errors]),
  );
}
