import { isIP } from 'node:net';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Protects against pages of other sites, DNS rebinding included: `Origin` must be one of the configured origins, and
 * `Host` one of their names. Clients other than browsers send no `Origin`. A numeric host is safe: DNS cannot rebind
 * it.
 */
export class AllowedOrigins {
  private readonly origins: ReadonlySet<string>;
  private readonly hosts: ReadonlySet<string>;
  private readonly any: boolean;
  private readonly isLocal: boolean;

  constructor(baseUrl: string, further: readonly string[]) {
    this.any = further.includes('*');
    const origins = [baseUrl, ...further].filter((origin) => origin !== '*').map((origin) => new URL(origin));
    this.isLocal = LOOPBACK.has(new URL(baseUrl).hostname);
    this.origins = new Set(origins.map(({ origin }) => origin));
    this.hosts = new Set([...LOOPBACK, ...origins.map(({ hostname }) => hostname)]);
  }

  allow(origin: string | undefined, host: string | undefined): boolean {
    return this.any || (this.allowsOrigin(origin) && this.allowsHost(host));
  }

  private allowsOrigin(origin: string | undefined): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const { origin: sent, hostname } = new URL(origin);
    // A service on loopback accepts pages from loopback, on any port.
    return this.origins.has(sent) || (this.isLocal && LOOPBACK.has(hostname));
  }

  private allowsHost(host: string | undefined): boolean {
    // `URL.canParse` alone accepts more than host and port: `2026/07/01` is a URL of the host 0.0.7.234.
    if (host === undefined || !/^[^/\\?#@\s]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
    const { hostname } = new URL(`http://${host}`);
    return this.hosts.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  }
}
