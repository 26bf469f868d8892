import { LOCALES } from '../../../domain/locale/locale.js';
import { READ_SCOPE, type ResourceSettings } from '../../access/keys/access-token-verifier.js';
import { MCP_PATH } from '../request/early-checks.middleware.js';
import type { PageFile } from './pages.service.js';
import type { HttpSettings } from '../settings.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** RFC 9728 puts the path of the resource behind the well-known one. */
export function metadataUrl(baseUrl: string): string {
  return baseUrl + WELL_KNOWN + MCP_PATH;
}

/** RFC 9728: where clients of the MCP endpoint get a token. Without an OpenID provider there are no such files. */
export function resourceMetadata(
  settings: ResourceSettings | null,
  { baseUrl }: { readonly baseUrl: string },
): PageFile[] {
  if (settings === null) return [];
  const text = JSON.stringify({
    resource: settings.resource,
    authorization_servers: [settings.issuer],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Tidemark',
    resource_documentation: `${baseUrl}/docs`,
  });
  // Clients in browsers read it before they have anything that the service would check.
  const headers = { 'access-control-allow-origin': '*' };
  return [WELL_KNOWN, WELL_KNOWN + MCP_PATH].map((path) => ({ path, type: 'application/json', text, headers }));
}

const SECURITY_TXT = '/.well-known/security.txt';
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
Preferred-Languages: ${LOCALES.join(', ')}
Canonical: ${baseUrl}${SECURITY_TXT}
`;
  return [{ path: SECURITY_TXT, type: 'text/plain; charset=utf-8', text }];
}
