import ipaddr from 'ipaddr.js';

/** Ports of webhooks on public addresses; a network that the operator allows has all. */
const PUBLIC_PORTS: ReadonlySet<number> = new Set([443, 8443]);
/** Of IPv6, the only range that is assigned to the public: others hide IPv4 addresses (`::7f00:1`) or are nobody's. */
const PUBLIC = ['0.0.0.0/0', '2000::/3'].map((range) => ipaddr.parseCIDR(range));
/** Public addresses that a cloud provider serves its own metadata on. */
const PROVIDER_NETWORKS = [ipaddr.parseCIDR('168.63.129.16/32')];

export interface Destination {
  readonly isHttps: boolean;
  readonly port: number;
}

/**
 * Decides which addresses a webhook may connect to. An owner chooses the URL, so without this check the service would
 * send requests into the operator's own network.
 */
export class NetworkPolicy {
  private readonly allowed;

  /** @param ranges addresses and CIDR ranges that are allowed although they are not public, also over plain http */
  constructor(ranges: readonly string[]) {
    this.allowed = ranges.map((range) => ipaddr.parseCIDR(range.includes('/') ? range : single(range)));
  }

  /** Whether any plain http URL can be reached. */
  get allowsHttp(): boolean {
    return this.allowed.length > 0;
  }

  allows(address: string, { isHttps, port }: Destination): boolean {
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address in IPv6 notation counts as IPv4.
    const parsed = ipaddr.process(address);
    if (isIn(parsed, this.allowed)) return true;
    const isPublic = parsed.range() === 'unicast' && isIn(parsed, PUBLIC) && !isIn(parsed, PROVIDER_NETWORKS);
    return isPublic && isHttps && PUBLIC_PORTS.has(port);
  }
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function single(address: string): string {
  return `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? '32' : '128'}`;
}
