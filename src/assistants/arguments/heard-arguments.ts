import type { z } from 'zod';
import { isObject } from '../protocol/json-rpc.js';
import { ownMember } from '../../domain/names/own-member.js';

const ADDRESS = /^https?:\/\/[^\s]+$/i;

/**
 * Converts arguments to the types of the schema: `null` is omitted, a URL is replaced by the id at its end, and a
 * number as text, a text as number or a list becomes the type that the schema accepts. The schema refuses the rest.
 */
export function heardArguments(schema: z.ZodObject, sent: unknown): unknown {
  if (!isObject(sent)) return sent ?? {};
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      heard(ownMember(schema.shape, name) as z.ZodType | undefined, value),
    ]),
  );
}

/** What callers write for the two ends of a ranking. */
const HIGHEST = ['desc', 'descending', 'top', 'largest', 'most', 'max'];
const LOWEST = ['asc', 'ascending', 'bottom', 'smallest', 'least', 'min'];

function heard(field: z.ZodType | undefined, value: unknown): unknown {
  if (field === undefined) return value;
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
  return (
    address
      .replace(/[?#].*$/, '')
      .split('/')
      .findLast((segment) => segment !== '') ?? address
  );
}
