// The words of an indicator: its verb, and its name on either side of zero.
import type { Locale, Localized } from '../locale/locale.js';
import en from '../locale/messages/en/verbs.json' with { type: 'json' };
import ja from '../locale/messages/ja/verbs.json' with { type: 'json' };
import zh from '../locale/messages/zh/verbs.json' with { type: 'json' };
import { isAbove } from './decimal.js';

export const VERBS = [
  'rise',
  'grow',
  'increase',
  'lengthen',
  'widen',
  'deepen',
  'appreciate',
  'trade',
] as const;
export type Verb = (typeof VERBS)[number];

export interface Wording {
  readonly verb: Verb;
  /** Names above and below zero. Where a language has one for both, it writes the sign. */
  readonly sides: { readonly positive: Localized; readonly negative: Localized } | null;
  /** Of a policy rate: who decides it, and its name in that body's sentence. */
  readonly decision?: { readonly body: Localized; readonly rate: Localized };
}

export interface VerbForms {
  readonly past: string;
  readonly noun: string;
}

const FORMS: Readonly<Record<Locale, Readonly<Record<Verb, Readonly<Record<'up' | 'down', VerbForms>>>>>> = {
  ...{ en, zh, ja },
};

/** An indicator's value as a language speaks of it: a deficit of 5, not a balance of -5. */
export interface SignedName {
  readonly name: string;
  readonly value: string;
  readonly negative: boolean;
}

export function namedBySign(locale: Locale, name: Localized, { sides }: Wording, value: string): SignedName {
  const above = isAbove(value, '0');
  const below = isAbove('0', value);
  if (sides === null || sides.positive[locale] === sides.negative[locale] || (!above && !below)) {
    return { name: name[locale], value, negative: false };
  }
  return above
    ? { name: sides.positive[locale], value, negative: false }
    : { name: sides.negative[locale], value: value.slice(1), negative: true };
}

/** What happens to a value that its sign names: a deficit widens, a contraction deepens. */
export function verbForms(locale: Locale, verb: Verb, negative: boolean, up: boolean): VerbForms {
  return FORMS[locale][negative && verb === 'rise' ? 'deepen' : verb][up ? 'up' : 'down'];
}
