import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Locale } from '../../../domain/locale/locale.js';

export type Coding = 'br' | 'gzip' | 'identity';

export interface EncodedBody {
  readonly coding: Coding;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Below this size, compression saves less than its header costs. */
const COMPRESS_FROM_BYTES = 1_000;

const compress: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** A response as bytes. Each coding is made once, on first use, and has its own ETag. */
export class SerializedResponse {
  private readonly bodies = new Map<Coding, Promise<EncodedBody>>();
  private readonly hash: string;

  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly locale: Locale,
    readonly plain: Buffer,
    /** Of the next page, where the body is a page of a list and not the last one. */
    readonly nextCursor: string | null = null,
    /** Stands for the body in the ETag; shorter where parts of the body have been hashed before. */
    identity: string | Buffer = plain,
  ) {
    this.hash = createHash('sha256').update(identity).digest('base64url').slice(0, 27);
  }

  /** Bytes of memory, with all codings. */
  get weight(): number {
    return this.plain.length * 2 + 1_000;
  }

  encode(coding: Coding): Promise<EncodedBody> {
    const wanted = this.plain.length < COMPRESS_FROM_BYTES ? 'identity' : coding;
    let body = this.bodies.get(wanted);
    if (body === undefined) {
      body = this.encodeAs(wanted);
      body.catch(() => this.bodies.delete(wanted));
      this.bodies.set(wanted, body);
    }
    return body;
  }

  private async encodeAs(wanted: Coding): Promise<EncodedBody> {
    const bytes = wanted === 'identity' ? this.plain : await compress[wanted](this.plain);
    const etag = wanted === 'identity' ? `"${this.hash}"` : `"${this.hash}-${wanted}"`;
    return { coding: wanted, bytes, etag };
  }
}

/** `If-None-Match` compares weakly; `*` matches everything. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
