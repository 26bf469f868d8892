import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Coding } from './serialized-response.js';

/** The typings lack `preferred`, which orders codings of equal weight. */
interface WeighsEncodings {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

const CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];
// Clients send few distinct headers: parse each one once.
const codings = new LRUCache<string, Coding>({ max: 500 });
const accepted = new LRUCache<string, boolean>({ max: 500 });

/** The coding that the client prefers; our order among equal weights. */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity';
  const known = codings.get(acceptEncoding);
  if (known !== undefined) return known;
  const negotiator: WeighsEncodings = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const [liked] = negotiator.encodings([...CODINGS], { preferred: ['br', 'gzip'] });
  const coding = CODINGS.find((one) => one === liked) ?? 'identity';
  codings.set(acceptEncoding, coding);
  return coding;
}

/** Any parameter of a media type except its weight: our only form of JSON satisfies all of them. */
const OTHER_PARAMETER = /;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,]*)/gi;
/** A list of empty members, which expresses nothing. */
const EMPTY = /^[\s,]*$/;

/** Whether the client accepts JSON; no `Accept` accepts everything. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || EMPTY.test(accept)) return true;
  const known = accepted.get(accept);
  if (known !== undefined) return known;
  const plain = { accept: accept.replaceAll(OTHER_PARAMETER, '') };
  const answer = new Negotiator({ headers: plain }).mediaType(['application/json']) !== undefined;
  accepted.set(accept, answer);
  return answer;
}
