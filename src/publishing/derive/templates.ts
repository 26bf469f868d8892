// The sentences of changes. Their templates are the service's own message files, compiled here once: through
// nestjs-i18n, which lives in the server's container, an import would take several times as long to write them.
import type { Locale } from '../../locale/locale.js';
import en from '../../locale/messages/en/changes.json' with { type: 'json' };
import ja from '../../locale/messages/ja/changes.json' with { type: 'json' };
import zh from '../../locale/messages/zh/changes.json' with { type: 'json' };

export type Fill = (words: Readonly<Record<string, string>>) => string;

/** Messages with each text made a function of its words. */
export type Compiled<T> = { readonly [K in keyof T]: T[K] extends string ? Fill : Compiled<T[K]> };
export type ChangeTemplates = Compiled<typeof en>;

/** `{name}` stands for the word of that name. A word that is not given is a mistake of ours. */
export function compileTemplate(template: string): Fill {
  const parts = template.split(/\{(\w+)\}/);
  return (words) => {
    let text = '';
    for (const [index, part] of parts.entries()) {
      const piece = index % 2 === 0 ? part : words[part];
      if (piece === undefined) throw new Error(`No word is given for {${part}} in "${template}"`);
      text += piece;
    }
    return text;
  };
}

function compileAll<T extends object>(messages: T): Compiled<T> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? compileTemplate(value) : compileAll(value as object),
    ]),
  ) as Compiled<T>;
}

/** One message file in its languages. */
export const compileMessages = <T extends object>({
  en,
  zh,
  ja,
}: Readonly<Record<Locale, T>>): Readonly<Record<Locale, Compiled<T>>> => ({
  en: compileAll(en),
  zh: compileAll(zh),
  ja: compileAll(ja),
});

export const CHANGE_TEMPLATES = compileMessages({ en, zh, ja });
