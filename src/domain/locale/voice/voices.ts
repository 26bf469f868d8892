import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inAll, type Locale } from '../locale.js';
import { compileAll, type Compiled } from '../templates.js';
import { en } from './en.js';
import { ja } from './ja.js';
import type { Messages, Voice } from './voice.js';
import { zh } from './zh.js';

export const VOICES: Readonly<Record<Locale, Voice>> = { en, zh, ja };

/** Not compiled: verbs are words without arguments. */
export const MESSAGES = inAll((locale) => {
  const folder = join(import.meta.dirname, '../messages', locale);
  const contentOf = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const files = readdirSync(folder).map((file) => [basename(file, '.json'), contentOf(file)] as const);
  return Object.fromEntries(files) as unknown as Messages;
});

/**
 * The sentences that publishing writes, compiled once. nestjs-i18n needs the server's container, and an import that used
 * it would write the sentences several times as slowly.
 */
export const SENTENCES = inAll<Compiled<Messages>>((locale) => compileAll(MESSAGES[locale]));
