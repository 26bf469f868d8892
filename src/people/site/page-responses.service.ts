import { Injectable } from '@nestjs/common';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';
import type { Locale } from '../../domain/locale/locale.js';
import { Views, type PageModel } from './views.service.js';

/**
 * Allows nothing inline and nothing from other hosts. Data blocks (`application/ld+json`) are no scripts and need no
 * exception.
 */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** For public pages: the same lifetime as API responses. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'cache-control': 'public, max-age=30',
  vary: 'accept, accept-language, accept-encoding',
};

export interface PageOptions {
  readonly status?: number;
  /** Replaces the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders pages to bytes, with their headers. */
@Injectable()
export class PageResponses {
  constructor(private readonly views: Views) {}

  create(
    view: string,
    model: PageModel,
    locale: Locale,
    { status = 200, headers = {} }: PageOptions = {},
  ): SerializedResponse {
    const html = this.views.render(view, model, locale);
    return new SerializedResponse(status, { ...PAGE_HEADERS, ...headers }, locale, Buffer.from(html));
  }
}
