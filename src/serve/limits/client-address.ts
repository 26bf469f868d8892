import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { IncomingMessage } from 'node:http';

const NETWORK_BITS = 64;

export type TrustedProxies = (address: string, hop: number) => boolean;

/** Addresses and CIDR ranges; throws a TypeError on one that is neither. */
export function trustProxies(ranges: readonly string[]): TrustedProxies {
  return proxyAddr.compile([...ranges]);
}

/**
 * The address of the nearest hop that is not a trusted proxy. Trusts what such a proxy forwards only if it is an
 * address. Empty if the socket has no address, as on a Unix socket.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined) return '';
  return proxyAddr.all(request, trusted).findLast((hop) => isIP(hop) > 0) ?? remoteAddress;
}

/** The key under which failed attempts from an address count: an IPv4 address, or an IPv6 network of 64 bits. */
export function addressKey(address: string): string {
  if (isIP(address) === 0) return 'addr:unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `addr:${parsed.toString()}`;
  const bytes = parsed.toByteArray().fill(0, NETWORK_BITS / 8);
  return `addr:${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BITS}`;
}
