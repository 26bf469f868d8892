// The arguments of a tool, from those that were sent to those that are valid.
import type { z } from 'zod';
import type { ParameterFault } from '../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { ownMember } from '../../domain/names/own-member.js';
import { faultsIn, refuseTooMany } from '../../serve/http/request/parameters.pipe.js';
import { MALFORMED } from '../../serve/http/request/query-parser.js';
import type { SentParameters } from '../../serve/responses/request-context.js';
import { documentCallOf } from '../protocol/documents.js';
import { isObject, type Message } from '../protocol/json-rpc.js';

const ADDRESS = /^https?:\/\/[^\s]+$/i;
/** What callers write for the two ends of a ranking. */
const HIGHEST = ['desc', 'descending', 'top', 'largest', 'most', 'max'];
const LOWEST = ['asc', 'ascending', 'bottom', 'smallest', 'least', 'min'];

/** The arguments of a message as they were sent: of a tool, or in the URI of a document. */
export function rawArguments({ params }: Message): SentParameters {
  if (!isObject(params)) return {};
  const { uri, arguments: given } = params;
  if (typeof uri === 'string') return documentCallOf(uri)?.args ?? {};
  return isObject(given) ? given : {};
}

/**
 * Converts arguments to the types of the schema: `null` is omitted, a URL is replaced by the id at its end, and a
 * number as text, a text as number or a list becomes the type that the schema accepts. The schema refuses the rest, and
 * what a query of HTTP may not contain either: a NUL.
 */
export function coerceArguments(schema: z.ZodObject, raw: unknown): unknown {
  if (!isObject(raw)) return raw ?? {};
  const given = Object.entries(raw).filter(([, value]) => value !== null);
  const fieldOf = (name: string) => ownMember(schema.shape, name) as z.ZodType | undefined;
  return Object.fromEntries(given.map(([name, value]) => [name, coerced(fieldOf(name), value)]));
}

function coerced(field: z.ZodType | undefined, value: unknown): unknown {
  if (field === undefined) return value;
  if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0'))) return MALFORMED;
  const plain = typeof value === 'string' && ADDRESS.test(value) ? lastSegment(value) : value;
  return [plain, ...spellings(plain)].find((one) => field.safeParse(one).success) ?? plain;
}

function* spellings(value: unknown): Iterable<unknown> {
  if (typeof value === 'string') {
    const word = value.trim().toLowerCase();
    if (/^\d{1,9}$/.test(word)) yield Number(word);
    yield value.trim();
    yield word;
    if (HIGHEST.includes(word)) yield 'highest';
    if (LOWEST.includes(word)) yield 'lowest';
  }
  if (typeof value === 'number') yield String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) yield value.join(',');
}

function lastSegment(address: string): string {
  const path = address.replace(/[?#].*$/, '');
  return path.split('/').findLast((segment) => segment !== '') ?? address;
}

/**
 * The arguments that are valid by themselves; the faults of the others join those of the request, and a faulty one is
 * omitted, even if it is required: the service that reads the arguments refuses the request after its own checks.
 * @throws ApiError `invalid_parameter` for too many arguments
 */
export function validArguments<Input extends z.ZodObject>(
  schema: Input,
  raw: unknown,
  faults: ParameterFaults,
): z.output<Input> {
  refuseTooMany(raw);
  const given = coerceArguments(schema, raw);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  faults.add(
    faultsIn(parsed.error, given, schema).map((fault): ParameterFault =>
      fault.reason === 'unknown' ? { ...fault, reason: 'unknown_argument' } : fault,
    ),
  );
  const values = new Map(Object.entries(given as object));
  const valid = Object.entries(schema.shape).flatMap(([name, field]) => {
    const value = (field as z.ZodType).safeParse(values.get(name));
    return value.success && value.data !== undefined ? [[name, value.data] as const] : [];
  });
  return Object.fromEntries(valid) as z.output<Input>;
}
