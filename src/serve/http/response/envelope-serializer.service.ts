import { Injectable } from '@nestjs/common';
import type { Locale } from '../../../domain/locale/locale.js';
import { JsonPieces, piecesOf } from '../../responses/json-text.js';
import type { Result } from '../../responses/result.js';
import { SerializedResponse } from './serialized-response.js';

/** `{ data, meta }`, the same for HTTP and MCP. */
export function envelopeOf<Data>(result: Result<Data>, locale: Locale) {
  const { data, dataVersion, publishedAt, freshness, sources, notices, page, total, window, nearest, removed, reach } =
    result;
  const meta = {
    locale,
    dataVersion,
    publishedAt,
    ...(freshness && { freshness }),
    sources,
    notices,
    ...(page && { page }),
    ...(total && { total }),
    ...(window && { window }),
    ...(nearest && { nearest }),
    ...(removed && { removed }),
    ...(reach && { reach }),
  };
  return { data, meta };
}

/** Serializes a result as the bytes of `{ data, meta }`. */
@Injectable()
export class EnvelopeSerializer {
  /** @param accountScoped account data, which no cache may store */
  serialize(result: Result<object>, locale: Locale, accountScoped: boolean): SerializedResponse {
    const { data, meta } = envelopeOf(result, locale);
    const json = new JsonPieces(['{"data":', ...piecesOf(data), `,"meta":${JSON.stringify(meta)}}`]);
    return new SerializedResponse(
      200,
      { 'cache-control': accountScoped ? 'no-store' : 'private, max-age=30' },
      locale,
      json.bytes,
      result.page?.nextCursor ?? null,
      json.identity,
    );
  }
}
