import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';

/** What a cursor is bound to: it continues this question and no other. */
export interface Question {
  readonly route: string;
  /** Without limit, locale and cursor, which may change from page to page. */
  readonly filters: Readonly<Record<string, unknown>>;
}

const MAC_BYTES = 12;
const REVISION_BYTES = 4;
const HEAD_BYTES = MAC_BYTES + REVISION_BYTES;

/**
 * The revision of the page that a cursor was shown on, unverified: whoever continues a list with it reads no older
 * state. 0 for what is no cursor; a forged one is refused when it is read.
 */
export function revisionIn(cursor: unknown): number {
  const bytes = Buffer.from(typeof cursor === 'string' ? cursor : '', 'base64url');
  return bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32BE(MAC_BYTES);
}

/** Opaque, authenticated places in a list. Any instance with the same peppers reads what another wrote. */
@Injectable()
export class Cursors {
  constructor(private readonly secrets: readonly Buffer[]) {}

  /** `place` is the sort key of the last item shown. A text takes up what it takes: keep it short. */
  write(question: Question, place: number | string): string {
    const [signing] = this.secrets;
    if (signing === undefined) throw new Error('No secret to sign cursors with');
    const payload = Buffer.from(typeof place === 'number' ? place.toString(36) : place);
    return assemble(mac(signing, question, payload), 0, payload);
  }

  /** The cursor, just written, with the revision of its page. */
  stamp(cursor: string, revision: number): string {
    const [signing] = this.secrets;
    if (signing === undefined) throw new Error('No secret to sign cursors with');
    const bytes = Buffer.from(cursor, 'base64url');
    const written = bytes.subarray(0, MAC_BYTES);
    return assemble(stamped(signing, written, revision), revision, bytes.subarray(HEAD_BYTES));
  }

  /** @throws ApiError `invalid_cursor` unless it was issued for this very question. */
  read(question: Question, cursor: string): number {
    const place = Number.parseInt(this.readText(question, cursor), 36);
    if (!Number.isSafeInteger(place)) throw new ApiError('invalid_cursor');
    return place;
  }

  /** A place that was written as a text. @throws ApiError `invalid_cursor` as `read` does. */
  readText(question: Question, cursor: string): string {
    const bytes = Buffer.from(cursor, 'base64url');
    const given = bytes.subarray(0, MAC_BYTES);
    const revision = revisionIn(cursor);
    const payload = bytes.subarray(HEAD_BYTES);
    const issued =
      // Only the one spelling that we write: stray characters do not make another cursor.
      bytes.toString('base64url') === cursor &&
      bytes.length >= HEAD_BYTES &&
      this.secrets.some((secret) =>
        timingSafeEqual(stamped(secret, mac(secret, question, payload), revision), given),
      );
    if (!issued) throw new ApiError('invalid_cursor');
    return payload.toString();
  }
}

function assemble(head: Buffer, revision: number, payload: Buffer): string {
  const bytes = Buffer.alloc(REVISION_BYTES);
  bytes.writeUInt32BE(revision);
  return Buffer.concat([head, bytes, payload]).toString('base64url');
}

/** Of revision 0, a cursor's code is that of question and place alone. */
function stamped(secret: Buffer, written: Buffer, revision: number): Buffer {
  if (revision === 0) return written;
  return createHmac('sha256', secret).update(written).update(`@${revision}`).digest().subarray(0, MAC_BYTES);
}

function mac(secret: Buffer, { route, filters }: Question, payload: Buffer): Buffer {
  const canonical = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([route, canonical]))
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);
}
