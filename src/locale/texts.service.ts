import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import { inAll, type Locale, type Localized } from './locale.js';

export type TextArgs = Readonly<Record<string, string | number>>;

/** The one way from a key of `messages/` to words: always in a language that is named, never in a default. */
@Injectable()
export class Texts {
  constructor(private readonly i18n: I18nService) {}

  /** `key` is `file.path.in.it`; a key that is nowhere is a mistake of ours and throws. */
  say(locale: Locale, key: string, args: TextArgs = {}): string {
    const text = this.i18n.translate(key, { lang: locale, args });
    if (typeof text !== 'string' || text === key) throw new Error(`No text '${key}' in '${locale}'`);
    return text;
  }

  sayInAll(key: string, args: TextArgs = {}): Localized {
    return inAll((locale) => this.say(locale, key, args));
  }
}
