import { setImmediate } from 'node:timers/promises';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { ApiError, notFound, type ParameterFault } from '../../../domain/errors/api-error.js';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { nearest } from '../../../domain/errors/nearest.js';
import { MALFORMED } from './query-parser.js';
import { ownMember } from '../../../domain/names/own-member.js';

/** Characters of a parameter's name that an error repeats. */
const SHOWN_OF_A_NAME = 100;

/** What other services call a parameter, and some of our own routes. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['country', ['region']],
  ['countries', ['country', 'region']],
  ['region', ['country']],
  ['regions', ['region', 'country']],
  ['since', ['publishedSince', 'from']],
  ['start', ['from']],
  ['end', ['to', 'until']],
  ['q', ['query']],
  ['lang', ['locale']],
  ['language', ['locale']],
  ['page', ['cursor']],
  ['offset', ['cursor']],
  ['per_page', ['limit']],
  ['pageSize', ['limit']],
]);

interface Issue extends Record<string, unknown> {
  readonly code: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Validates parameters by the schemas of the route. An invalid query lists one error per mistake. A path segment that
 * does not fit its schema names nothing, so it is 404, except a malformed date.
 */
@Injectable()
export class ParametersPipe implements PipeTransform {
  async transform(value: unknown, { schema, type, data }: ArgumentMetadata & { schema?: unknown }): Promise<unknown> {
    if (!(schema instanceof z.ZodType)) return value;
    if (type === 'query') refuseTooMany(value);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    if (type === 'param' && schema.meta()?.['format'] !== 'date') {
      // The framework validates all arguments at once; report invalid query parameters before a 404.
      await setImmediate();
      throw namesNothing(schema, value, data ?? '');
    }
    throw new ApiError('invalid_parameter', { faults: faultsIn(parsed.error, value, schema, data) });
  }
}

function namesNothing(schema: z.ZodType, value: unknown, name: string): ApiError {
  const named = NAMED.get(schema);
  if (named === undefined || typeof value !== 'string') return new ApiError('not_found');
  const near = schema instanceof z.ZodEnum ? nearest(value, schema.options.map(String)) : [];
  return notFound(name, named.reason, value, near);
}

/** More than any route or tool has, few enough to validate at once. */
export const MOST_PARAMETERS = 64;

/**
 * Runs before the schema, which reports one error per name.
 * @throws ApiError `invalid_parameter` for too many names, or too many values of one name
 */
export function refuseTooMany(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  let count = 0;
  for (const one of Object.values(value)) count += Array.isArray(one) ? Math.max(one.length, 1) : 1;
  if (count <= MOST_PARAMETERS) return;
  throw new ApiError('invalid_parameter', { detail: 'too_many', args: { limit: MOST_PARAMETERS, count } });
}

/** At most one error per parameter, for HTTP and MCP alike. */
export function faultsIn(error: z.ZodError, value: unknown, schema: z.ZodType, name = ''): ParameterFault[] {
  const faults = new Map<string, ParameterFault>();
  // A value can fail several checks: report the first.
  const add = (fault: ParameterFault) => {
    if (!faults.has(fault.parameter)) faults.set(fault.parameter, fault);
  };
  for (const issue of error.issues as unknown as Issue[]) {
    if (issue.code === 'unrecognized_keys') {
      for (const fault of unknownNames(issue['keys'] as string[], schema)) add(fault);
    } else {
      const parameter = issue.path.length > 0 ? String(issue.path[0]) : name;
      const sent = issue.path.length > 0 ? ownMember(value as Record<string, unknown>, parameter) : value;
      add({ parameter, ...reasonOf(issue, sent) });
    }
  }
  return [...faults.values()];
}

function* unknownNames(names: Iterable<string>, schema: z.ZodType): Iterable<ParameterFault> {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  for (const name of new Set(names)) {
    // A lone surrogate would make the whole JSON unreadable for many parsers.
    const parameter = name.slice(0, SHOWN_OF_A_NAME).replaceAll(/\p{Cs}/gu, '\ufffd');
    const meant = (SYNONYMS.get(name) ?? []).filter((one) => known.includes(one));
    yield { parameter, reason: 'unknown', allowed: meant.length > 0 ? meant : nearest(name, known) };
  }
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
