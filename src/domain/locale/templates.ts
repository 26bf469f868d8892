// The only compiler of text templates. A template is a message of ours; values are inserted once and never interpreted.
import { inAll, type Locale } from './locale.js';

export type TextArgs = Readonly<Record<string, string | number>>;
export type Fill = (args: TextArgs) => string;

/** Messages with each text made a function of its arguments. */
export type Compiled<T> = { readonly [K in keyof T]: T[K] extends string ? Fill : Compiled<T[K]> };

/**
 * `{name}` is replaced by the argument of that name; nothing else is special. A missing argument is a bug and throws: a
 * text with a gap must not be published.
 */
export function compileTemplate(template: string): Fill {
  const parts = template.split(/\{(\w+)\}/);
  return (args) => {
    let text = '';
    for (const [index, part] of parts.entries()) {
      const own = Object.hasOwn(args, part) ? args[part] : undefined;
      const piece = index % 2 === 0 ? part : own;
      if (piece === undefined) throw new Error(`No value is given for {${part}} in "${template}"`);
      text += String(piece);
    }
    return text;
  };
}

/** A message file of one language. */
export function compileAll<T extends object>(messages: T): Compiled<T> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? compileTemplate(value) : compileAll(value as object),
    ]),
  ) as Compiled<T>;
}

/** The forms of a counted noun in the message files: languages without a plural have the same text in both. */
export type PluralForm = 'one' | 'other';

const rules = inAll((locale) => new Intl.PluralRules(locale));

export const pluralForm = (locale: Locale, count: number): PluralForm =>
  rules[locale].select(count) === 'one' ? 'one' : 'other';
