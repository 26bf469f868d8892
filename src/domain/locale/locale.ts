/** The languages of the service, in the order of its documents. `zh` is Simplified Chinese. */
export const LOCALES = ['en', 'zh', 'ja'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en';

/** A text for people, in every language. */
export type Localized = Readonly<Record<Locale, string>>;

/** The results of `say` for every language. */
export const inAll = <T>(say: (locale: Locale) => T): Readonly<Record<Locale, T>> =>
  Object.fromEntries(LOCALES.map((locale) => [locale, say(locale)])) as Record<Locale, T>;

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && (LOCALES as readonly string[]).includes(value);
}
