import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import type { RenderRequest } from '../../serve/http/request/api-request.js';
import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from '../../domain/locale/locale.js';

/** The locale of the URL's parameter, as in the API; else the browser's preferred one. */
export function pageLocale(request: Pick<RenderRequest, 'context' | 'headers'>): Locale {
  const { namedLocale } = request.context;
  if (namedLocale !== undefined) return namedLocale;
  const liked = new Negotiator(request).language([...LOCALES]);
  return isLocale(liked) ? liked : DEFAULT_LOCALE;
}

/** Whether a client prefers HTML: browsers name it, programs accept anything. */
export function acceptsHtml({ headers: { accept } }: IncomingMessage): boolean {
  if (accept?.includes('text/html') !== true) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}
