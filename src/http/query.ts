/** Stands for a parameter whose bytes are no text: bad percent-encoding, invalid UTF-8, or a NUL. */
export const MALFORMED = Symbol('malformed');

/** Of an address; a longer one is not looked into. */
export const MAX_URL_BYTES = 8_192;

export type QueryValue = string | typeof MALFORMED | QueryValue[];
export type Query = Record<string, QueryValue>;

/**
 * Express's `query parser`: strict about encoding, a repeated name gives an array, nothing is nested. The
 * schemas expect one string a name, so both kinds of mistake are refused by the same validation.
 */
export function parseQuery(text: string | null | undefined): Query {
  const query = Object.create(null) as Query;
  for (const pair of (text ?? '').split('&')) {
    if (pair === '') continue;
    const [name, ...rest] = pair.split('=');
    const key = decode(name ?? '');
    const value = decode(rest.join('='));
    const at = typeof key === 'string' ? key : (name ?? '');
    const known = query[at];
    const entry = typeof key === 'string' ? value : MALFORMED;
    if (Array.isArray(known)) known.push(entry);
    else query[at] = known === undefined ? entry : [known, entry];
  }
  return query;
}

function decode(text: string): string | typeof MALFORMED {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? MALFORMED : decoded;
  } catch {
    return MALFORMED;
  }
}

/** Whether a path can be read at all: what cannot names nothing. */
export function isReadablePath(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
