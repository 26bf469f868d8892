import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';

/** A cursor continues the list of this route and these filters, and no other. */
export interface CursorScope {
  readonly route: string;
  /** Without limit, locale and cursor, which may change from page to page. */
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Where the next page of a list begins. */
export interface NextPlace {
  readonly scope: CursorScope;
  /** The sort key of the last item. A text makes the cursor longer: keep it short. */
  readonly place: number | string;
}

/** A page of a list before its data version is known, which its cursor names. */
export interface UnsignedPage {
  readonly limit: number;
  /** null on the last page. */
  readonly next: NextPlace | null;
}

const MAC_BYTES = 12;
const VERSION_BYTES = 4;
const HEAD_BYTES = MAC_BYTES + VERSION_BYTES;

/**
 * The data version of the page that a cursor was shown on, unverified: the next page reads no older
 * state. 0 for a text that is no cursor; `read` refuses a forged one.
 */
export function dataVersionIn(cursor: unknown): number {
  const bytes = Buffer.from(typeof cursor === 'string' ? cursor : '', 'base64url');
  return bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32BE(MAC_BYTES);
}

/** Opaque, authenticated positions in a list. Any instance with the same peppers can read them. */
@Injectable()
export class Cursors {
  constructor(private readonly secrets: readonly Buffer[]) {}

  /** @param dataVersion of the page that the cursor is shown on */
  write({ scope, place }: NextPlace, dataVersion: number): string {
    const [signing] = this.secrets;
    if (signing === undefined) throw new Error('No secret to sign cursors with');
    const version = Buffer.alloc(VERSION_BYTES);
    version.writeUInt32BE(dataVersion);
    const content = Buffer.concat([version, Buffer.from(typeof place === 'number' ? place.toString(36) : place)]);
    return Buffer.concat([mac(signing, scope, content), content]).toString('base64url');
  }

  /** The first `limit` rows. A row beyond them says that another page follows. */
  page<Row>(
    rows: readonly Row[],
    limit: number,
    scope: CursorScope,
    placeOf: (row: Row) => number | string,
  ): { readonly shown: Row[]; readonly page: UnsignedPage } {
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { shown, page: { limit, next: last === undefined ? null : { scope, place: placeOf(last) } } };
  }

  /** @throws ApiError `invalid_cursor` unless it was issued for this scope. */
  read(scope: CursorScope, cursor: string): number {
    const place = Number.parseInt(this.readText(scope, cursor), 36);
    if (!Number.isSafeInteger(place)) throw new ApiError('invalid_cursor');
    return place;
  }

  /** Reads a text position. @throws ApiError `invalid_cursor` as `read` does */
  readText(scope: CursorScope, cursor: string): string {
    const bytes = Buffer.from(cursor, 'base64url');
    const given = bytes.subarray(0, MAC_BYTES);
    const content = bytes.subarray(MAC_BYTES);
    const issued =
      // Accept only the canonical spelling: stray characters must not make another valid cursor.
      bytes.toString('base64url') === cursor &&
      bytes.length >= HEAD_BYTES &&
      this.secrets.some((secret) => timingSafeEqual(mac(secret, scope, content), given));
    if (!issued) throw new ApiError('invalid_cursor');
    return content.toString('utf8', VERSION_BYTES);
  }
}

function mac(secret: Buffer, { route, filters }: CursorScope, content: Buffer): Buffer {
  const canonical = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify([route, canonical]))
    .update(content)
    .digest()
    .subarray(0, MAC_BYTES);
}
