import { formatDay } from '../../../locale/format.js';
import { LOCALES, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/structures.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/structures.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/structures.json' with { type: 'json' };
import { CHANGE_TEMPLATES, compileTemplate } from '../templates.js';

const MESSAGES: Readonly<Record<Locale, typeof en>> = { en, zh, ja };

/** One end of a relation: by name, else by LEI. */
export interface NamedEntity {
  readonly lei: string;
  readonly name: string | null;
}

export interface StructureSaid {
  readonly what: 'began' | 'ended';
  readonly child: NamedEntity;
  readonly parent: NamedEntity;
  /** The day that the register states for what happened, if it does. */
  readonly statedOn: string | null;
  readonly publisher: Localized;
  readonly day: string;
  readonly basis: 'released' | 'retrieved';
}

/** Headline and summary. Nothing is said of ownership: registers state whose accounts consolidate whom. */
export function structureTexts(said: StructureSaid): { headline: Localized; summary: Localized } {
  const texts = LOCALES.map((locale) => [locale, textsIn(locale, said)] as const);
  const of = (part: 'headline' | 'summary'): Localized =>
    Object.fromEntries(texts.map(([locale, text]) => [locale, text[part]])) as unknown as Localized;
  return { headline: of('headline'), summary: of('summary') };
}

function textsIn(locale: Locale, said: StructureSaid): { headline: string; summary: string } {
  const messages = MESSAGES[locale];
  const { what, statedOn, day, basis } = said;
  const nameOf = ({ lei, name }: NamedEntity): string => name ?? compileTemplate(messages.unnamed)({ lei });
  const stated = statedOn === null ? '' : formatDay(locale, statedOn);
  const words = {
    child: nameOf(said.child),
    parent: nameOf(said.parent),
    publisher: said.publisher[locale],
    day: formatDay(locale, day),
    since: stated,
    until: stated,
  };
  const sentence = messages[what][statedOn === null ? 'plain' : 'dated'];
  const source = CHANGE_TEMPLATES[locale].source[basis](words);
  return {
    headline: capitalised(compileTemplate(messages[what].headline)(words)),
    summary: capitalised(compileTemplate(sentence)(words)) + messages.meaning + source,
  };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
