import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../../domain/errors/errors.js';
import { Meta } from './envelope.schema.js';

const fault = z
  .object({
    parameter: z.string().describe('Name of the parameter, as sent'),
    message: z.string().describe('Why the value is not valid, in the language of the request'),
    allowed: z.array(z.string()).optional().describe('The accepted values, or the nearest known ones'),
  })
  .meta({ id: 'ParameterFault' });

export const Problem = z
  .object({
    type: z.url().describe('URL of the documentation of this error'),
    title: z.string().describe('Short name of the error, in the language of the request'),
    status: z.int().describe('The HTTP status code'),
    detail: z.string().describe('What happened and what to do, in the language of the request'),
    code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]).describe('Stable identifier of the error, for programs'),
    requestId: z.string().describe('Also in the header `x-request-id`. Quote it when you ask for help'),
    errors: z
      .array(fault)
      .optional()
      .describe(
        'For 400: one entry per invalid parameter, at most ten. For 404: the unknown name in the path, with the nearest names',
      ),
  })
  .meta({
    id: 'Problem',
    description: 'A problem of RFC 9457, with the additional members `code`, `requestId` and `errors`',
  });

export const ProblemEnvelope = z
  .object({ error: Problem, data: z.null(), meta: Meta })
  .meta({ id: 'ProblemEnvelope', description: 'The shape of every error' });

export type ProblemEnvelope = z.infer<typeof ProblemEnvelope>;
