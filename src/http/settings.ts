/** What the HTTP side needs to know that is not in a request. */
export interface HttpSettings {
  /** Without a trailing slash: the start of every `url`, `type` and `Link`. */
  readonly baseUrl: string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly mcpOrigins: readonly string[];
  /** Bytes that kept answers may take. */
  readonly cacheBytes: number;
}

export const HTTP_SETTINGS = Symbol('HttpSettings');
