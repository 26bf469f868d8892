import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../errors/errors.js';
import { LOCALES } from '../../locale/locale.js';

const fault = z
  .object({
    parameter: z.string().describe('Name of the parameter, as sent'),
    message: z.string().describe('What is wrong with it, in the language of the request'),
    allowed: z.array(z.string()).optional().describe('The closed set of values, or the nearest known ones'),
  })
  .meta({ id: 'ParameterFault' });

export const Problem = z
  .object({
    type: z.url().describe("Address of this error's page in the documentation"),
    title: z.string().describe('The error in a few words, in the language of the request'),
    status: z.int().describe('The HTTP status, again'),
    detail: z.string().describe('What happened and what to do about it'),
    code: z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]).describe('Stable; programs decide by it'),
    requestId: z.string().describe('Also in the header x-request-id: quote it when you ask for help'),
    errors: z
      .array(fault)
      .optional()
      .describe(
        'For bad input: one entry a mistake, ten at most. For 404: what the path names, with the nearest names',
      ),
  })
  .meta({ id: 'Problem', description: 'Members of RFC 9457, plus `code`, `requestId` and `errors`' });

export const ProblemEnvelope = z
  .object({
    data: z.null(),
    meta: z.object({
      locale: z.enum(LOCALES),
      dataVersion: z.null(),
      publishedAt: z.null(),
      sources: z.array(z.string()).max(0).describe('Always empty in an error'),
      notices: z.array(z.string()).max(0).describe('Always empty in an error'),
    }),
    error: Problem,
  })
  .meta({ id: 'ProblemEnvelope', description: 'Every error has this shape' });

export type ProblemEnvelope = z.infer<typeof ProblemEnvelope>;
