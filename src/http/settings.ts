/** Settings of the HTTP transport. */
export interface HttpSettings {
  /** Without a trailing slash: the prefix of every `url`, `type` and `Link`. */
  readonly baseUrl: string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly mcpOrigins: readonly string[];
  /** A `mailto:` or `https:` URL; null if the operator configured none. */
  readonly securityContact: string | null;
  /** Whether anybody may read the public pages, and answers link to them. */
  readonly publicPages: boolean;
  /** Size of the response cache in bytes. */
  readonly cacheBytes: number;
}

export const HTTP_SETTINGS = Symbol('HttpSettings');
