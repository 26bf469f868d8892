// Names of regions inside sentences.
import type { Locale } from './locale.js';
import { VOICES } from './voice/voices.js';

/** The name of a region with its article in a running sentence. */
export const placeIn = (locale: Locale, code: string, name: string): string => VOICES[locale].place(code, name);
