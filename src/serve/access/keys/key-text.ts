import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Pepper } from '../../../domain/config/config.js';

// The text of a key: `tm_`, 30 random base62 characters, 6 characters of the CRC32 over all before them. That of a file
// link begins with `tl_`, so that a link is never the key of a request and a key never opens a file.

/** What a text opens: the API, or one table as a file. */
export type KeyKind = 'key' | 'link';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORMS = { key: /^tm_[0-9A-Za-z]{36}$/, link: /^tl_[0-9A-Za-z]{36}$/ };
/** Finds a key or a file link anywhere in a text. */
export const KEY_ANYWHERE = /t[ml]_[0-9A-Za-z]{36}/;
export const PREFIX_LENGTH = 8;

export function makeKeyText(kind: KeyKind = 'key'): string {
  const body = `${kind === 'key' ? 'tm_' : 'tl_'}${randomCharacters(30)}`;
  return body + checksum(body);
}

/** Whether form and checksum are valid: the verifier refuses any other text without a query. */
export function isKeyText(text: string, kind: KeyKind = 'key'): boolean {
  return FORMS[kind].test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

export function hashKey(text: string, pepper: Pepper): Buffer {
  return createHmac('sha256', pepper.value).update(text).digest();
}

function randomCharacters(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      // 248 = 4 × 62: bytes from 248 on would favour the first letters.
      if (byte < 248 && text.length < count) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
