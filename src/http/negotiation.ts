import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { Coding } from './answer.js';

/** The typings are a version behind: `preferred` decides among equal weights. */
interface WeighsEncodings {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

const CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];
// Clients send few distinct headers: each is weighed once.
const codings = new LRUCache<string, Coding>({ max: 500 });
const accepted = new LRUCache<string, boolean>({ max: 500 });

/** The coding the client likes best, ours first among equals. */
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

/** Whether a client takes JSON; one that says nothing takes anything. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const known = accepted.get(accept);
  if (known !== undefined) return known;
  const answer = new Negotiator({ headers: { accept } }).mediaType(['application/json']) !== undefined;
  accepted.set(accept, answer);
  return answer;
}
