import { Inject, Injectable } from '@nestjs/common';
import type { Locale } from '../locale/locale.js';
import type { Result } from '../answers/result.js';
import { Answer } from './answer.js';
import { HTTP_SETTINGS, type HttpSettings } from './settings.js';

export interface Presentation {
  readonly locale: Locale;
  /** Path and query as sent, for the next page's address. */
  readonly address: string;
  /** The account's own: not to be kept by anyone. */
  readonly own: boolean;
}

/** `{ data, meta }`, the same for every delivery. */
export function envelopeOf<Data>(result: Result<Data>, locale: Locale) {
  const { data, revision, publishedAt, sources, notices, page, window, nearest, reach } = result;
  const meta = {
    locale,
    revision,
    publishedAt,
    sources,
    notices,
    ...(page && { page }),
    ...(window && { window }),
    ...(nearest && { nearest }),
    ...(reach && { reach }),
  };
  return { data, meta };
}

/** Turns a result into the bytes of `{ data, meta }`. */
@Injectable()
export class Presenter {
  constructor(@Inject(HTTP_SETTINGS) private readonly settings: HttpSettings) {}

  present(result: Result<unknown>, { locale, address, own }: Presentation): Answer {
    const { page } = result;
    const headers: Record<string, string> = { 'cache-control': own ? 'no-store' : 'private, max-age=30' };
    if (page?.nextCursor != null) headers['link'] = `<${this.next(address, page.nextCursor)}>; rel="next"`;
    return new Answer(200, headers, locale, Buffer.from(JSON.stringify(envelopeOf(result, locale))));
  }

  private next(address: string, cursor: string): string {
    const url = new URL(address, this.settings.baseUrl);
    url.searchParams.set('cursor', cursor);
    return `${this.settings.baseUrl}${url.pathname}${url.search}`;
  }
}
