import { LOCALES, type Locale } from './locale.js';
import { VOICES } from './voice/voices.js';

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** In an English sentence: Chinese; by its script where the code alone does not say which: Simplified Chinese. */
const languageName = (tag: string): string => NAMES.of(tag) ?? tag;

/** All of them in an English sentence: English, Chinese and Japanese. */
export const languages = (
  type: 'conjunction' | 'disjunction',
  named: (locale: Locale) => string = languageName,
): string => new Intl.ListFormat('en-GB', { type }).format(LOCALES.map(named));

/** The codes, with what they do not say by themselves: `en`, `zh` (Simplified Chinese) or `ja`. */
export const languageCodes = (): string =>
  languages('disjunction', (locale) => {
    const { tag } = VOICES[locale];
    return `\`${locale}\`${tag === locale ? '' : ` (${languageName(tag)})`}`;
  });

/** Each as its readers call it. */
export const LANGUAGES = LOCALES.map((locale) => ({
  locale,
  tag: VOICES[locale].tag,
  name: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
}));
