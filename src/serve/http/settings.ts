import type { UrlSettings } from '../responses/url-builder.service.js';
import type { Token } from '../../domain/config/provider.js';

/** Settings of the HTTP transport. */
export interface HttpSettings extends UrlSettings {
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly mcpOrigins: readonly string[];
  /** A `mailto:` or `https:` URL; null if the operator configured none. */
  readonly securityContact: string | null;
  /** Size of the response cache in bytes. */
  readonly cacheBytes: number;
}

export const HTTP_SETTINGS: Token<HttpSettings> = Symbol('HttpSettings');
