import { Inject, Injectable } from '@nestjs/common';
import type { Locale } from '../../domain/locale/locale.js';
import { pagePathOf } from './page-path.js';

export const API_PREFIX = '/api/v1';
export const URL_SETTINGS = Symbol('UrlSettings');

export interface UrlSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the public pages are on, and items link to them. */
  readonly publicPages: boolean;
}

/** The URLs of an item: for programs, and for people if it has a page. */
export interface ItemLinks {
  readonly url: string;
  readonly page?: string | undefined;
}

/** The query of links to items as known on a day; items as known today need none. */
export const asOfQuery = (asOf: string | undefined, today: string): Readonly<Record<string, string>> =>
  asOf === undefined || asOf >= today ? {} : { asOf };

/** The link of an item in a text. */
export const linkOf = ({ url, page }: ItemLinks): string => page ?? url;

/** Builds absolute URLs from the configured base, never from the Host header. */
@Injectable()
export class UrlBuilder {
  constructor(@Inject(URL_SETTINGS) private readonly settings: UrlSettings) {}

  of(...segments: string[]): string {
    return `${this.settings.baseUrl}${API_PREFIX}${pathOf(segments)}`;
  }

  /** The URL of an item and of its page in a language. */
  links(locale: Locale, segments: readonly string[], query: Readonly<Record<string, string>> = {}): ItemLinks {
    const path = pathOf(segments);
    const url = this.settings.baseUrl + API_PREFIX + path + searchOf(query);
    const page = this.pageOf(path, query, locale);
    return page === null ? { url } : { url, page };
  }

  /**
   * The page of the item at a path under the API's prefix; null if it has none, or public pages are off.
   * @param locale without it, the page is in the language that the browser prefers
   */
  pageOf(path: string, query: Readonly<Record<string, unknown>>, locale?: Locale): string | null {
    const { baseUrl, publicPages } = this.settings;
    const page = publicPages ? pagePathOf(path, query) : null;
    if (page === null) return null;
    if (locale === undefined) return baseUrl + page;
    return `${baseUrl}${page}${page.includes('?') ? '&' : '?'}locale=${locale}`;
  }
}

/** The query of a URL. Most items have none, and a page has many items. */
function searchOf(query: Readonly<Record<string, string>>): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
}

const pathOf = (segments: readonly string[]): string => `/${segments.map(encodeURIComponent).join('/')}`;
