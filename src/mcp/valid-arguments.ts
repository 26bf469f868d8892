import type { z } from 'zod';
import { ApiError, type ParameterFault } from '../errors/api-error.js';
import { faultsIn, refuseTooMany } from '../http/request/parameters.pipe.js';
import { heardArguments } from './heard-arguments.js';

/**
 * The arguments of a tool or prompt, as its schema has them.
 * @param unknown the key of the text for an argument that the schema lacks
 * @throws ApiError `invalid_parameter` with one fault per argument
 */
export function validArguments<Input extends z.ZodObject>(
  schema: Input,
  sent: unknown,
  unknown = 'unknown_argument',
): z.output<Input> {
  refuseTooMany(sent);
  const heard = heardArguments(schema, sent);
  const parsed = schema.safeParse(heard);
  if (parsed.success) return parsed.data;
  const faults = faultsIn(parsed.error, heard, schema).map((fault): ParameterFault =>
    fault.reason === 'unknown' ? { ...fault, reason: unknown } : fault,
  );
  throw new ApiError('invalid_parameter', { faults });
}
