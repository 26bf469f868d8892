import { isIP } from 'node:net';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Keeps pages of other sites out, also where their name was pointed at this machine: an `Origin` must be one of
 * ours, and a `Host` must be a name of ours. Clients that are no browser send no `Origin`; an address of numbers
 * cannot be re-pointed.
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
    // A service of this machine answers what runs on this machine, whichever port that is on.
    return this.origins.has(sent) || (this.isLocal && LOOPBACK.has(hostname));
  }

  private allowsHost(host: string | undefined): boolean {
    if (host === undefined || !URL.canParse(`http://${host}`)) return false;
    const { hostname } = new URL(`http://${host}`);
    return this.hosts.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  }
}
