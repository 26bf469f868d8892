// Names of regions inside sentences.
import type { Locale } from './locale.js';
import { VOICES } from './voice/voices.js';

/** The name of a region in a headline or a sentence; an operator's own name stays. */
export function nameInText(locale: Locale, name: string): string {
  const { regions } = VOICES[locale];
  return Object.hasOwn(regions, name) ? (regions[name] ?? name) : name;
}

/** The same, with its article in a running sentence. */
export const placeIn = (locale: Locale, code: string, given: string): string =>
  VOICES[locale].place(code, nameInText(locale, given));
