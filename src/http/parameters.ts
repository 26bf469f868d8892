import { setImmediate } from 'node:timers/promises';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, type ParameterFault } from '../errors/api-error.js';
import { nearest } from '../errors/nearest.js';
import { MALFORMED } from './query.js';

interface Issue extends Record<string, unknown> {
  readonly code: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Validates what a route's schemas describe. A query is refused with one fault a mistake; a path segment
 * that does not fit its schema names nothing, so it is 404, but for a date, which can be malformed.
 */
@Injectable()
export class ParametersPipe implements PipeTransform {
  async transform(
    value: unknown,
    { schema, type, data }: ArgumentMetadata & { schema?: unknown },
  ): Promise<unknown> {
    if (!(schema instanceof z.ZodType)) return value;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    if (type === 'param' && schema.meta()?.['format'] !== 'date') {
      // The framework judges all arguments at once, and a bad parameter comes before a path that names nothing.
      await setImmediate();
      throw new ApiError('not_found');
    }
    throw new ApiError('invalid_parameter', { faults: faultsIn(parsed.error, value, schema, data) });
  }
}

/** One fault a parameter, whatever delivery it came by. */
export function faultsIn(error: z.ZodError, value: unknown, schema: z.ZodType, name = ''): ParameterFault[] {
  const issues = error.issues as unknown as Issue[];
  const faults = issues.flatMap((issue) => faultsOf(issue, value, schema, name));
  // A value can break several checks at once: the first says enough.
  return faults.filter((one, at) => faults.findIndex((it) => it.parameter === one.parameter) === at);
}

function faultsOf(issue: Issue, input: unknown, schema: z.ZodType, name: string): ParameterFault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return (issue['keys'] as string[]).map((key) => ({
      parameter: key.slice(0, 100),
      reason: 'unknown',
      allowed: nearest(key, known),
    }));
  }
  const parameter = issue.path.length > 0 ? String(issue.path[0]) : name;
  const sent = issue.path.length > 0 ? (input as Record<PropertyKey, unknown>)[parameter] : input;
  return [{ parameter, ...reasonOf(issue, sent) }];
}

function reasonOf(issue: Issue, sent: unknown): Omit<ParameterFault, 'parameter'> {
  if (Array.isArray(sent)) return { reason: 'repeated' };
  if (sent === MALFORMED) return { reason: 'malformed_encoding' };
  if (sent === undefined) return { reason: 'missing' };
  if (sent === '') return { reason: 'empty' };
  const { reason, args, allowed } = (issue['params'] ?? {}) as Partial<ParameterFault>;
  if (reason !== undefined) return { reason, ...(args && { args }), ...(allowed && { allowed }) };
  switch (issue.code) {
    case 'invalid_value':
      return { reason: 'not_in_set', allowed: issue['values'] as string[] };
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_format':
      return { reason: String(issue['format']) === 'date' ? 'not_a_day' : 'malformed' };
    default:
      return { reason: 'malformed' };
  }
}

function bound(issue: Issue): Omit<ParameterFault, 'parameter'> {
  const side = issue.code === 'too_big' ? 'maximum' : 'minimum';
  const limit = Number(issue[side]);
  const what = issue['origin'] === 'string' ? 'length' : 'value';
  return { reason: `${what}_${side}`, args: { limit } };
}
