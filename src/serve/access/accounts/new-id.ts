import { randomBytes } from 'node:crypto';

/** An identifier that reveals neither order nor number. */
export function newId(kind: 'acc' | 'key' | 'ses' | 'chn' | 'fol' | 'alr'): string {
  return `${kind}_${randomBytes(12).toString('base64url')}`;
}
