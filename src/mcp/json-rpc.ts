import { isLocale, DEFAULT_LOCALE, type Locale } from '../locale/locale.js';

/** What of a JSON-RPC message the gate looks at. It may be anything that JSON can say. */
export interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly arguments?: { readonly locale?: unknown } | null } | null;
}

export function isMessage(body: unknown): body is Message {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Only this asks for content; the rest is handshake. */
export function isToolCall(body: unknown): boolean {
  return isMessage(body) && body.method === 'tools/call';
}

/** The id that an answer repeats; null where there is none to be had. */
export function idOf(body: unknown): string | number | null {
  const id = isMessage(body) ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The language that a tool call names, where it names one that exists. */
export function localeOf(body: unknown): Locale {
  const locale = isMessage(body) ? body.params?.arguments?.locale : null;
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

const BY_STATUS: Readonly<Record<number, number>> = {
  401: -32_010,
  403: -32_011,
  429: -32_012,
  503: -32_013,
  404: -32_601,
  500: -32_603,
};
const OTHER = -32_014;

/** JSON-RPC's own codes where one fits, else one of those left to implementations. */
export function rpcCodeOf(status: number, parsed: boolean): number {
  if (status === 400) return parsed ? -32_600 : -32_700;
  return BY_STATUS[status] ?? OTHER;
}
