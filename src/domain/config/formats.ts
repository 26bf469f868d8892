import { isIP } from 'node:net';

// Forms of settings that the schema library does not know.

export function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** An issuer identifier (OpenID Connect Discovery): without TLS only on this machine. */
export function isIssuer(text: string): boolean {
  if (!isPlainAddress(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.includes(hostname);
}

export function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text);
}

export function isContact(text: string): boolean {
  return /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(text) && URL.canParse(text);
}

export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
