import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import type { ErrorCode } from '../../../domain/errors/errors.js';
import { enveloped } from '../response/envelope.schema.js';
import { ApiErrors, PIPELINE_ERRORS } from './errors.js';
import { COMMON_HEADERS, headersOf, LIMIT_HEADERS } from './headers.js';

interface Described {
  /** Verb and noun: names the method in generated clients and the examples of this route. */
  readonly operation: string;
  /** At most six words. */
  readonly summary: string;
  /** The content, its order, and what an empty list means. */
  readonly description: string;
  /** The MCP tools that give the same. */
  readonly tools?: readonly string[];
  /** Errors of this route beyond those of every route. */
  readonly errors?: readonly ErrorCode[];
}

type RouteDescription = Described &
  (
    | { readonly page: z.ZodType }
    | {
        readonly data: z.ZodType;
        /** `data` contains the list and `meta.page` its page. */
        readonly paged?: boolean;
      }
  );

/** Documents a route from the schemas that validate it: summary, response, headers, errors. */
export function DescribeRoute(described: RouteDescription) {
  const { operation, summary, description, tools, errors = [] } = described;
  const paged = 'page' in described || described.paged === true;
  const data = 'page' in described ? described.page : described.data;
  const validated = [...COMMON_HEADERS, 'ETag', ...LIMIT_HEADERS] as const;
  return applyDecorators(
    ApiOperation({ operationId: operation, summary, description }),
    ApiOkResponse({
      description: 'The data, with its sources in `meta`',
      standardSchema: enveloped(data),
      headers: headersOf(paged ? [...validated, 'Link'] : validated),
    }),
    ApiResponse({
      status: 304,
      description: 'The response still equals the ETag sent as `If-None-Match`. It counts as a request',
      headers: headersOf(validated),
    }),
    ...(tools === undefined ? [] : [ApiExtension('x-mcp-tools', tools)]),
    ApiErrors([...PIPELINE_ERRORS, ...(paged ? (['invalid_cursor'] as const) : []), ...errors]),
  );
}
