// The words of an indicator: its verb, and its name on either side of zero.
import type { Locale, Localized } from '../locale/locale.js';
import { MESSAGES, VOICES } from '../locale/voice/voices.js';
import { isAbove } from './decimal.js';

export const VERBS = [
  'rise',
  'quicken',
  'accelerate',
  'grow',
  'increase',
  'lengthen',
  'widen',
  'deepen',
  'appreciate',
  'trade',
] as const;
export type Verb = (typeof VERBS)[number];

export interface VerbForms {
  readonly past: string;
  readonly noun: string;
}

/** A verb that the catalogue brings with it: what a rise and a fall are called. */
export type OwnVerb = Readonly<Record<Locale, Readonly<Record<'up' | 'down', VerbForms>>>>;

/** The wording of a change of sign: the current account swung to a deficit of {n}, real GDP to growth of {n}. */
export interface Turn {
  readonly subject: Localized;
  /** Phrases with the figure in them, without its sign. */
  readonly positive: Localized;
  readonly negative: Localized;
}

/** Who decides, on what rate, and how far the lower limit of its target range lies below it, if it has one. */
export interface DecisionWording {
  readonly body: Localized;
  readonly rate: Localized;
  readonly range?: string;
}

export interface Wording {
  readonly verb: Verb | OwnVerb;
  /** Whether an English sentence writes an article before it: the unemployment rate, but real GDP growth. */
  readonly definite?: boolean;
  /** Whether the publisher's figure of a group of economies is their median. */
  readonly median?: boolean;
  /** Name of the first estimate of a period, where the publisher makes several. */
  readonly first?: Localized;
  /** Names above and below zero. Where a language has one for both, it writes the sign. */
  readonly sides: { readonly positive: Localized; readonly negative: Localized; readonly turn: Turn } | null;
  /** Of a policy rate: who decides it, and its name in that body's sentence. */
  readonly decision?: DecisionWording;
}

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

/** The median of a group's economies is a level without sides: it rises, and nothing in it widens. */
export const wordingOf = (wording: Wording, aggregate: boolean): Wording =>
  aggregate && wording.median === true ? { ...wording, verb: 'rise', sides: null } : wording;

/** In an English sentence: the unemployment rate rose, but real GDP growth slowed. */
export const articled = (locale: Locale, { definite }: Wording, name: string): string =>
  definite === true ? VOICES[locale].articled(name) : name;

/** What is released is a first estimate, where the publisher makes several. */
export const nameOf = (kind: string, name: Localized, { first }: Wording): Localized =>
  kind === 'release' ? (first ?? name) : name;

/** Whether it deepens below zero: growth, inflation. */
const deepens = ({ verb }: Wording): boolean => typeof verb === 'string' && DEEPENING.has(verb);

/** Whether its sides are a surplus and a deficit, which widen, not growth and contraction. */
export const isBalance = ({ verb }: Wording): boolean => verb === 'widen';

/** `null`: the figures stay on one side of zero, or the indicator has no sides. */
export function turnBetween({ sides }: Wording, actual: string, previous: string | null): Turn | null {
  if (sides === null || previous === null) return null;
  return isAbove('0', actual) === isAbove('0', previous) ? null : sides.turn;
}

/** A figure as a change of sign names it. @param written without its sign */
export function turnedTo(locale: Locale, turn: Turn, value: string, written: string): string {
  if (isAbove(value, '0')) return turn.positive[locale].replace('{n}', written);
  return isAbove('0', value) ? turn.negative[locale].replace('{n}', written) : written;
}

/** Verbs of a rate: below zero it deepens. */
const DEEPENING: ReadonlySet<Verb> = new Set(['rise', 'quicken', 'accelerate']);

/** What happens to a value that its sign names: a deficit widens, a contraction deepens. */
export function verbForms(locale: Locale, verb: Verb | OwnVerb, negative: boolean, up: boolean): VerbForms {
  const forms =
    typeof verb === 'string' ? MESSAGES[locale].verbs[negative && DEEPENING.has(verb) ? 'deepen' : verb] : verb[locale];
  return forms[up ? 'up' : 'down'];
}

/**
 * Verb and noun of a rate whose two values lie below zero, in a language in which it does not rise there: what lies below zero
 * shrinks or grows. `null` for other languages, rates and values.
 */
export function formsBelowZero(locale: Locale, wording: Wording, from: string, to: string): VerbForms | null {
  if (!VOICES[locale].shrinksBelowZero || !deepens(wording)) return null;
  if (!isAbove('0', from) || !isAbove('0', to)) return null;
  return verbForms(locale, 'deepen', true, isAbove(from, to));
}
