import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import { capitalised, formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import en from '../../../domain/locale/messages/en/structures.json' with { type: 'json' };
import ja from '../../../domain/locale/messages/ja/structures.json' with { type: 'json' };
import zh from '../../../domain/locale/messages/zh/structures.json' with { type: 'json' };
import { compileMessages } from '../../../domain/locale/templates.js';
import { CHANGE_TEMPLATES } from '../templates.js';

const TEMPLATES = compileMessages({ en, zh, ja });

/** One end of a relation: by name, else by LEI. */
export interface NamedEntity {
  readonly lei: string;
  readonly name: string | null;
}

export interface StructureSaid {
  readonly what: 'began' | 'ended';
  readonly child: NamedEntity;
  readonly parent: NamedEntity;
  /** The day that the register states, if any. */
  readonly statedOn: string | null;
  readonly publisher: Localized;
  readonly day: string;
  readonly basis: VintageBasis;
}

/** Headline and summary. They do not claim ownership: registers state whose accounts consolidate whom. */
export function structureTexts(said: StructureSaid): { headline: Localized; summary: Localized } {
  const texts = { en: textsIn('en', said), zh: textsIn('zh', said), ja: textsIn('ja', said) };
  return {
    headline: inAll((locale) => texts[locale].headline),
    summary: inAll((locale) => texts[locale].summary),
  };
}

function textsIn(locale: Locale, said: StructureSaid): { headline: string; summary: string } {
  const templates = TEMPLATES[locale];
  const { what, statedOn, day, basis } = said;
  const nameOf = ({ lei, name }: NamedEntity): string => name ?? templates.unnamed({ lei });
  const stated = statedOn === null ? '' : formatDay(locale, statedOn);
  const words = {
    child: nameOf(said.child),
    parent: nameOf(said.parent),
    publisher: said.publisher[locale],
    day: formatDay(locale, day),
    since: stated,
    until: stated,
  };
  const sentence = templates[what][statedOn === null ? 'plain' : 'dated'];
  const source = CHANGE_TEMPLATES[locale].source[basis](words);
  return {
    headline: capitalised(templates[what].headline(words)),
    summary: capitalised(sentence(words)) + templates.meaning({}) + source,
  };
}
