import type { PageFile } from './pages.service.js';
import type { HttpSettings } from '../settings.js';

export const SECURITY_TXT = '/.well-known/security.txt';
/** RFC 9116 recommends less than a year. Each start creates the file anew. */
const VALID_MS = 364 * 86_400_000;

/** RFC 9116: the contact for vulnerability reports. Without a configured contact there is no file. */
export function securityTxt(
  { securityContact, baseUrl }: Pick<HttpSettings, 'securityContact' | 'baseUrl'>,
  now: number,
): PageFile[] {
  if (securityContact === null) return [];
  const text = `Contact: ${securityContact}
Expires: ${new Date(now + VALID_MS).toISOString()}
Preferred-Languages: en, zh, ja
Canonical: ${baseUrl}${SECURITY_TXT}
`;
  return [{ path: SECURITY_TXT, type: 'text/plain; charset=utf-8', text }];
}
