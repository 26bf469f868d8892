import type { Locale } from '../locale.js';
import { compileAll, type Compiled } from '../templates.js';
import { en } from './en.js';
import { ja } from './ja.js';
import type { Messages, Voice } from './voice.js';
import { zh } from './zh.js';

export const VOICES: Readonly<Record<Locale, Voice>> = { en, zh, ja };

/**
 * The sentences that publishing writes, compiled once. nestjs-i18n needs the server's container, and an import that used
 * it would write the sentences several times as slowly.
 */
export const SENTENCES: Readonly<Record<Locale, Compiled<Messages>>> = {
  en: compileAll(en.messages),
  zh: compileAll(zh.messages),
  ja: compileAll(ja.messages),
};
