import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '../../src/domain/locale/locale.js';

const FOLDER = join(__dirname, '../../src/domain/locale/messages');

/** The messages of one file by their dotted keys. */
export function readMessages(locale: Locale, file: string): Record<string, string> {
  const text = readFileSync(join(FOLDER, locale, `${file}.json`), 'utf8');
  return Object.fromEntries(flat(JSON.parse(text) as object, ''));
}

/** The names of a language's message files, without extension. */
export function messageFiles(locale: Locale): string[] {
  return readdirSync(join(FOLDER, locale)).map((name) => name.replace(/\.json$/, ''));
}

function flat(value: object, path: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' ? [[`${path}${name}`, member]] : flat(member as object, `${path}${name}.`),
  );
}
