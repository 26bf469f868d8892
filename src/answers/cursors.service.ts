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

/** Opaque, authenticated places in a list. Any instance with the same peppers reads what another wrote. */
@Injectable()
export class Cursors {
  constructor(private readonly secrets: readonly Buffer[]) {}

  /** `place` is the sort key of the last item shown. A text takes up what it takes: keep it short. */
  write(question: Question, place: number | string): string {
    const [signing] = this.secrets;
    if (signing === undefined) throw new Error('No secret to sign cursors with');
    const payload = Buffer.from(typeof place === 'number' ? place.toString(36) : place);
    return Buffer.concat([mac(signing, question, payload), payload]).toString('base64url');
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
    const payload = bytes.subarray(MAC_BYTES);
    const issued =
      // Only the one spelling that we write: stray characters do not make another cursor.
      bytes.toString('base64url') === cursor &&
      given.length === MAC_BYTES &&
      this.secrets.some((secret) => timingSafeEqual(mac(secret, question, payload), given));
    if (!issued) throw new ApiError('invalid_cursor');
    return payload.toString();
  }
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
