import type { IncomingMessage } from 'node:http';
import { MAX_URL_BYTES } from './query-parser.js';

/** The fault of a request target. */
export type TargetFault = 'malformed_request' | 'uri_too_long';

const SCHEME = /^https?:\/\//i;
/** RFC 3986 without user information, which RFC 9110 forbids in a request. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i;

/**
 * Validates the request target and rewrites its absolute form (`GET http://host/path`, RFC 9112) to the origin form,
 * before Express copies `url` to `originalUrl`. The host in it concerns proxies only. The length limit applies to the
 * target as sent.
 */
export function normalizeTarget(request: IncomingMessage): TargetFault | undefined {
  const target = request.url ?? '';
  const tooLong = target.length > MAX_URL_BYTES ? 'uri_too_long' : undefined;
  if (target.startsWith('/') || target === '*') return tooLong;
  const [scheme] = SCHEME.exec(target) ?? [''];
  const rest = target.slice(scheme.length);
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const path = end < 0 ? '' : rest.slice(end);
  request.url = path.startsWith('/') ? path : `/${path}`;
  const isValid = scheme !== '' && AUTHORITY.test(authority) && URL.canParse(`http://${authority}`);
  return tooLong ?? (isValid ? undefined : 'malformed_request');
}
