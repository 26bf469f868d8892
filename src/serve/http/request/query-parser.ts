import { ownMember } from '../../../domain/names/own-member.js';

/** Replaces a value that is not text: invalid percent-encoding, invalid UTF-8, or a NUL. */
export const MALFORMED = Symbol('malformed');

/** Characters of a query; a longer one is not parsed. */
export const MAX_URL_BYTES = 8_192;

export type QueryValue = string | typeof MALFORMED | QueryValue[];
export type Query = Record<string, QueryValue>;

/**
 * Strict about encoding; a repeated name gives an array; nothing is nested. Schemas expect one string per name, so
 * validation rejects both kinds of mistake.
 */
export function parseQuery(text: string): Query {
  const query = Object.create(null) as Query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name, ...rest] = pair.split('=');
    const key = decode(name ?? '');
    const value = decode(rest.join('='));
    const at = typeof key === 'string' ? key : (name ?? '');
    const known = ownMember(query, at);
    const entry = typeof key === 'string' ? value : MALFORMED;
    if (Array.isArray(known)) known.push(entry);
    else query[at] = known === undefined ? entry : [known, entry];
  }
  return query;
}

const PLAIN_LOCALE = /(?:^|&)locale=([a-z]{2})(?:&|$)/;

/** The query of a request, parsed once. */
export function queryIn(search: string): Query {
  if (search.length <= MAX_URL_BYTES) return parseQuery(search);
  const locale = PLAIN_LOCALE.exec(search)?.[1];
  return locale === undefined ? {} : { locale };
}

function decode(text: string): string | typeof MALFORMED {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? MALFORMED : decoded;
  } catch {
    return MALFORMED;
  }
}

/** Whether a path decodes: one that does not names nothing. */
export function isReadablePath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
