import type { z } from 'zod';
import { ApiError, type ParameterFault } from '../errors/api-error.js';
import type { ParameterFaults } from '../errors/parameter-faults.js';
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
  const { asked, faults } = parsedArguments(schema, sent, unknown);
  if (faults.length > 0) throw new ApiError('invalid_parameter', { faults });
  return asked;
}

/**
 * The arguments that are valid by themselves; the faults of the others join those of the request, and a faulty one is
 * omitted, even if it is required: whatever reads the arguments refuses the request after its checks.
 * @throws ApiError `invalid_parameter` for too many arguments
 */
export function soundArguments<Input extends z.ZodObject>(
  schema: Input,
  sent: unknown,
  known: ParameterFaults,
): z.output<Input> {
  const { asked, faults } = parsedArguments(schema, sent, 'unknown_argument');
  known.add(faults);
  return asked;
}

function parsedArguments<Input extends z.ZodObject>(
  schema: Input,
  sent: unknown,
  unknown: string,
): { readonly asked: z.output<Input>; readonly faults: readonly ParameterFault[] } {
  refuseTooMany(sent);
  const heard = heardArguments(schema, sent);
  const parsed = schema.safeParse(heard);
  if (parsed.success) return { asked: parsed.data, faults: [] };
  const faults = faultsIn(parsed.error, heard, schema).map((fault): ParameterFault =>
    fault.reason === 'unknown' ? { ...fault, reason: unknown } : fault,
  );
  const given = new Map(Object.entries(heard as object));
  const sound = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = (field as z.ZodType).safeParse(given.get(name));
    return value.success && value.data !== undefined ? [[name, value.data] as const] : [];
  });
  return { asked: Object.fromEntries(sound) as z.output<Input>, faults };
}
