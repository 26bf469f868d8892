import { isIP } from 'node:net';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import type { Destination, NetworkPolicy } from './network-policy.js';

const LONGEST = 500;

/**
 * The URL of a webhook as it is stored. A name is resolved only when a notification is sent, so that the form does not
 * reveal names of the operator's network.
 * @throws AccessError `webhook_url_invalid`, or `webhook_url_refused` for an address that is not allowed
 */
export function readWebhookUrl(text: string, policy: NetworkPolicy): string {
  const given = text.trim();
  const url = URL.canParse(given) ? new URL(given) : null;
  const isHttp = url?.protocol === 'https:' || (url?.protocol === 'http:' && policy.allowsHttp);
  if (url === null || !isHttp || url.username + url.password !== '') throw invalid();
  url.hash = '';
  if (url.href.length > LONGEST) throw invalid();
  const host = hostOf(url);
  if (isIP(host) !== 0 && !policy.allows(host, destinationOf(url))) {
    throw new AccessError('A webhook may not be on this address', { code: 'webhook_url_refused' });
  }
  return url.href;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export function destinationOf({ protocol, port }: URL): Destination {
  const isHttps = protocol === 'https:';
  return { isHttps, port: port === '' ? (isHttps ? 443 : 80) : Number(port) };
}

function invalid(): AccessError {
  return new AccessError('A webhook has an https URL without user or password', { code: 'webhook_url_invalid' });
}
