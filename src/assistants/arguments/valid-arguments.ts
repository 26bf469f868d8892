import type { z } from 'zod';
import type { ParameterFault } from '../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { faultsIn, refuseTooMany } from '../../serve/http/request/parameters.pipe.js';
import { heardArguments } from './heard-arguments.js';

/**
 * The arguments of a tool or prompt that are valid by themselves; the faults of the others join those of the request, and
 * a faulty one is omitted, even if it is required: whatever reads the arguments refuses the request after its checks.
 * @param unknown the key of the text for an argument that the schema lacks
 * @throws ApiError `invalid_parameter` for too many arguments
 */
export function soundArguments<Input extends z.ZodObject>(
  schema: Input,
  sent: unknown,
  known: ParameterFaults,
  unknown = 'unknown_argument',
): z.output<Input> {
  refuseTooMany(sent);
  const heard = heardArguments(schema, sent);
  const parsed = schema.safeParse(heard);
  if (parsed.success) return parsed.data;
  known.add(
    faultsIn(parsed.error, heard, schema).map((fault): ParameterFault =>
      fault.reason === 'unknown' ? { ...fault, reason: unknown } : fault,
    ),
  );
  const given = new Map(Object.entries(heard as object));
  const sound = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = (field as z.ZodType).safeParse(given.get(name));
    return value.success && value.data !== undefined ? [[name, value.data] as const] : [];
  });
  return Object.fromEntries(sound) as z.output<Input>;
}
