import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Peppers } from '../../serve/access/keys/peppers.js';

const PURPOSE = 'webhook-secrets';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the signing secrets of webhooks under keys that are derived from the peppers: a copy of the database alone
 * signs nothing. The id of the channel is authenticated with the secret, so that no row can take another's.
 */
export class SecretBox {
  private readonly keys: readonly Buffer[];

  constructor(peppers: Peppers) {
    this.keys = peppers.derive(PURPOSE);
  }

  seal(secret: string, channelId: string): Buffer {
    const [key] = this.keys;
    if (key === undefined) throw new Error('There is no pepper');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(channelId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Tries each pepper; null if it was sealed under one that is configured no more. */
  open(box: Buffer, channelId: string): string | null {
    for (const key of this.keys) {
      const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(channelId))
        .setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const opened = decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([opened, decipher.final()]).toString();
      } catch {
        // Sealed under another pepper.
      }
    }
    return null;
  }
}
