import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import { capitalised, formatDay } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { SENTENCES } from '../../../domain/locale/voice/voices.js';
import { textsInAll, type ChangeTexts } from '../templates.js';

/** One end of a relation: by name, else by LEI. */
export interface NamedEntity {
  readonly lei: string;
  readonly name: string | null;
}

export interface StructureFacts {
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
export const structureTexts = (facts: StructureFacts): ChangeTexts => textsInAll((locale) => textsIn(locale, facts));

function textsIn(locale: Locale, facts: StructureFacts): { headline: string; summary: string } {
  const templates = SENTENCES[locale].structures;
  const { what, statedOn, day, basis } = facts;
  const nameOf = ({ lei, name }: NamedEntity): string => name ?? templates.unnamed({ lei });
  const stated = statedOn === null ? '' : formatDay(locale, statedOn);
  const words = {
    child: nameOf(facts.child),
    parent: nameOf(facts.parent),
    publisher: facts.publisher[locale],
    day: formatDay(locale, day),
    since: stated,
    until: stated,
  };
  const sentence = templates[what][statedOn === null ? 'plain' : 'dated'];
  const source = SENTENCES[locale].changes.source[basis](words);
  return {
    headline: capitalised(templates[what].headline(words)),
    summary: capitalised(sentence(words)) + templates.meaning({}) + source,
  };
}
