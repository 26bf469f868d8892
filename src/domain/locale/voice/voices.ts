import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inAll, type Locale } from '../locale.js';
import { compileAll, type Compiled } from '../templates.js';
import { en } from './en.js';
import { ja } from './ja.js';
import type { Messages, Voice } from './voice.js';
import { zh } from './zh.js';

export const VOICES: Readonly<Record<Locale, Voice>> = { en, zh, ja };

const FILES = [
  ...(['alerts', 'briefs', 'changes', 'decisions', 'measures', 'moves'] as const),
  ...(['resources', 'signals', 'sources', 'structures', 'verbs'] as const),
] satisfies (keyof Messages)[];

const contentOf = (locale: Locale, file: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../messages/${locale}/${file}.json`), 'utf8'));

/** Not compiled: verbs are words without arguments. */
export const MESSAGES = inAll(
  (locale) => Object.fromEntries(FILES.map((file) => [file, contentOf(locale, file)])) as unknown as Messages,
);

/**
 * The sentences that publishing writes, compiled once. nestjs-i18n needs the server's container, and an import that used
 * it would write the sentences several times as slowly.
 */
export const SENTENCES = inAll<Compiled<Messages>>((locale) => compileAll(MESSAGES[locale]));
