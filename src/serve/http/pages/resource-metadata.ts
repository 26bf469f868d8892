import { READ_SCOPE, type ResourceSettings } from '../../access/keys/access-token-verifier.js';
import { MCP_PATH } from '../request/early-checks.middleware.js';
import type { PageFile } from './pages.service.js';

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
  return [WELL_KNOWN, WELL_KNOWN + MCP_PATH].map((path) => ({
    path,
    type: 'application/json',
    text,
    headers,
  }));
}
