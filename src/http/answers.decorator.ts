import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/errors.js';
import { enveloped, envelopedPage } from './envelope.schema.js';
import { ApiErrors, GATE_ERRORS } from './openapi-errors.js';
import { LIMIT_HEADERS, VALIDATOR_HEADERS } from './openapi-headers.js';

interface Described {
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
  const { summary, description, errors = [] } = answered;
  const paged = 'page' in answered || answered.paged === true;
  const data = 'page' in answered ? answered.page : answered.data;
  return applyDecorators(
    ApiOperation({ summary, description }),
    ApiOkResponse({
      description: 'The answer, with its sources in `meta`',
      standardSchema: paged ? envelopedPage(data) : enveloped(data),
      headers: { ...LIMIT_HEADERS, ...VALIDATOR_HEADERS },
    }),
    ApiErrors([...GATE_ERRORS, ...(paged ? (['invalid_cursor'] as const) : []), ...errors]),
  );
}
