import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import { LOCALES, type Locale } from './locale.js';
import { compileTemplate, pluralForm, type Fill, type PluralForm, type TextArgs } from './templates.js';

type Message = Fill | Readonly<Record<PluralForm, Fill>>;

/**
 * The only way from a key of `messages/` to a text, always in a named language. nestjs-i18n only reads the files: its
 * own formatter would interpret arguments as instructions (`$t(…)`).
 */
@Injectable()
export class Texts {
  private readonly messages = new Map<string, Message>();

  constructor(i18n: I18nService) {
    const translations: unknown = i18n.getTranslations();
    for (const locale of LOCALES) this.add(locale, (translations as Record<Locale, unknown>)[locale]);
  }

  /**
   * `key` is `file.path.in.it`; `count` selects a plural form.
   * @throws Error for an unknown key or a missing argument, which is a bug
   */
  say(locale: Locale, key: string, args: TextArgs = {}): string {
    const message = this.messages.get(`${locale}.${key}`);
    if (message === undefined) throw new Error(`No text '${key}' in '${locale}'`);
    return typeof message === 'function' ? message(args) : message[pluralForm(locale, Number(args['count']))](args);
  }

  private add(path: string, found: unknown): void {
    if (typeof found === 'string') this.messages.set(path, compileTemplate(found));
    else {
      const { one, other } = found as Record<PluralForm, unknown>;
      if (typeof one === 'string' && typeof other === 'string') {
        this.messages.set(path, { one: compileTemplate(one), other: compileTemplate(other) });
      }
      for (const [name, member] of Object.entries(found as object)) this.add(`${path}.${name}`, member);
    }
  }
}
