import type { z } from 'zod';
import { isObject } from './json-rpc.js';

const ADDRESS = /^https?:\/\/[^\s]+$/i;

/**
 * Converts arguments to the types of the schema: `null` is omitted, a URL is replaced by the id at its end, and a
 * number as text, a text as number or a list becomes the type that the schema accepts. The schema refuses the rest.
 */
export function heardArguments(schema: z.ZodObject, sent: unknown): unknown {
  if (!isObject(sent)) return sent ?? {};
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, heard(schema.shape[name] as z.ZodType, value)]),
  );
}

/** What callers write for the two ends of a ranking. */
const ENDS: Readonly<Record<string, string>> = {
  ...{
    desc: 'highest',
    descending: 'highest',
    top: 'highest',
    largest: 'highest',
    most: 'highest',
    max: 'highest',
  },
  ...{
    asc: 'lowest',
    ascending: 'lowest',
    bottom: 'lowest',
    smallest: 'lowest',
    least: 'lowest',
    min: 'lowest',
  },
};

function heard(field: z.ZodType | undefined, value: unknown): unknown {
  if (field === undefined) return value;
  const plain = typeof value === 'string' && ADDRESS.test(value) ? lastSegment(value) : value;
  return [plain, ...spellings(plain)].find((one) => field.safeParse(one).success) ?? plain;
}

function* spellings(value: unknown): Iterable<unknown> {
  if (typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value)) yield Number(value);
  if (typeof value === 'string') yield value.trim();
  if (typeof value === 'string') yield value.trim().toLowerCase();
  const end = typeof value === 'string' ? ENDS[value.trim().toLowerCase()] : undefined;
  if (end !== undefined) yield end;
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
