import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Locale } from '../locale/locale.js';

export type Coding = 'br' | 'gzip' | 'identity';

export interface CodedBody {
  readonly coding: Coding;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Below this a compressed body saves less than its headers cost. */
const COMPRESS_FROM_BYTES = 1_000;

const compress: Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** A finished answer as bytes: each coding is made once, on first demand, and has an ETag of its own. */
export class Answer {
  private readonly bodies = new Map<Coding, CodedBody>();
  private readonly hash: string;

  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly locale: Locale,
    readonly plain: Buffer,
  ) {
    this.hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  }

  /** What it holds in memory, in bytes, with every coding it may come to have. */
  get weight(): number {
    return this.plain.length * 2 + 1_000;
  }

  async coded(coding: Coding): Promise<CodedBody> {
    const wanted = this.plain.length < COMPRESS_FROM_BYTES ? 'identity' : coding;
    const made = this.bodies.get(wanted);
    if (made !== undefined) return made;
    const bytes = wanted === 'identity' ? this.plain : await compress[wanted](this.plain);
    const etag = wanted === 'identity' ? `"${this.hash}"` : `"${this.hash}-${wanted}"`;
    const body: CodedBody = { coding: wanted, bytes, etag };
    this.bodies.set(wanted, body);
    return body;
  }
}

/** `If-None-Match` compares weakly, and `*` matches whatever there is. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
