// Economies, indicators and instruments that a sentence names, by the names and aliases that search knows.
import { codeOfDemonym, codeOfHeadline } from '../../../domain/search/demonyms.js';
import { isSmallWord, keyOfWords, singularKey } from '../../../domain/search/names.js';
import { withTreasuryNamed } from '../../../domain/search/treasury-yield.js';
import { pieces } from '../../../domain/search/words.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type { Read } from '../../../store/snapshots.js';
import { hasStopWords } from './search-terms.rule.js';
import { EVERYWHERE, OF_GDP, PUBLISHER, REVISION_WORDS, STOP_WORDS } from './stop-words.rule.js';
import { ASIDE, unheardIn, type SentenceUnit } from './unheard-words.rule.js';

export interface NamedSubject {
  readonly type: 'country' | 'indicator' | 'instrument';
  readonly key: string;
  readonly title: Localized;
  /** Place of its first word. */
  readonly from: number;
}

type Named = Omit<NamedSubject, 'from'>;
/** With the place after its last word. */
type Found = NamedSubject & { readonly to: number };

/** A run of units and the keys under which a name of it would be found. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly keys: readonly string[];
  /** The economy whose adjective it may be. */
  readonly demonymOf: string | undefined;
}

/** Each costs up to a dozen keys. */
const MOST_UNITS = 64;
/** The longest names of the catalogue have as many. */
const LONGEST = 12;

export const SUBJECTS_NAMED = `
  SELECT n.name, d.type, d.key, t.title
  FROM (SELECT DISTINCT n.name, n.document FROM search_names n WHERE n.name = ANY ($1)) n
    JOIN search_documents d ON d.id = n.document JOIN search_texts t ON t.document = d.id
  WHERE d.until IS NULL AND d.type IN ('country', 'indicator', 'instrument')
  ORDER BY d.rank DESC, d.key`;

/** What a query says in words that search knows. */
export interface SearchedSentence {
  readonly subjects: readonly NamedSubject[];
  readonly years: readonly string[];
  /** Whether it asks for earlier figures that were changed. */
  readonly revised: boolean;
  /** Whether it says nothing else. */
  readonly understood: boolean;
  /** Its other Latin words: one may be misspelt. */
  readonly unknown: readonly string[];
  /** The same and runs of other characters, as they stand in the sentence, without particles. */
  readonly unheard: readonly string[];
  /** Whether it has words of asking: not each of its other words must then be found. */
  readonly isQuestion: boolean;
}

/** Between two names, of which one need not be Han or kana: 日本のGDP. */
const LINKS = new Set(['的', 'の']);
const ECONOMY = /\beconomy\b/i;
const YEAR = /^(?:19|20)\d\d$/;
/** Chinese and Japanese write 2024年. */
const YEAR_SIGN = /(?<=\d{4})年/gu;

/** Reads the longest name at each place; of one name, all that bear it. */
export async function readSentence(read: Read, text: string): Promise<SearchedSentence> {
  const q = withTreasuryNamed(text);
  const others = [PUBLISHER, REVISION_WORDS, YEAR_SIGN, EVERYWHERE, OF_GDP];
  const units = unitsOf(others.reduce((left, one) => left.replace(one, ' '), q));
  const spans = spansOf(units, q);
  const headline = units.map(({ cjk, text }) => (cjk ? codeOfHeadline(text) : undefined));
  const codes = headline.flatMap((code) => (code === undefined ? [] : [code.toLowerCase()]));
  const keys = [...new Set([...spans.flatMap((span) => [...span.keys, ...codeKeys(span)]), ...codes])];
  const rows = keys.length === 0 ? [] : await read<Named & { readonly name: string }>(SUBJECTS_NAMED, [keys]);
  const taken = new Set<number>();
  const found = new Map<string, Found>();
  const indicatorsAt = new Set<number>();
  const take = ({ from, to }: Pick<Span, 'from' | 'to'>, named: readonly Named[]): void => {
    const places = Array.from({ length: to - from }, (_, index) => from + index);
    if (named.length === 0 || places.some((place) => taken.has(place))) return;
    for (const place of places) taken.add(place);
    if (named.some(({ type }) => type === 'indicator')) indicatorsAt.add(from);
    for (const { type, key, title } of named) found.set(`${type} ${key}`, { type, key, title, from, to });
  };
  const isRatio = q.search(OF_GDP) >= 0;
  // Of several words, “aussie” is the economy's adjective and not its currency.
  const isAdjective = ({ from, to, demonymOf }: Span): boolean => demonymOf !== undefined && to - from < units.length;
  for (const span of spans)
    take(
      span,
      rows.filter(
        ({ name, type }) => span.keys.includes(name) && !(type === 'instrument' && (isRatio || isAdjective(span))),
      ),
    );
  // Alone or beside an indicator or instrument, an adjective names its economy; else it may be part of another name:
  // American Express.
  if (ECONOMY.test(q) || units.length === 1 || [...found.values()].some(({ type }) => type !== 'country')) {
    for (const span of spans)
      take(
        span,
        rows.filter(({ type, key }) => type === 'country' && key === span.demonymOf),
      );
  }
  for (const [at, code] of headline.entries()) {
    if (code === undefined || !indicatorsAt.has(at + 1)) continue;
    take(
      { from: at, to: at + 1 },
      rows.filter(({ type, key }) => type === 'country' && key === code),
    );
  }
  if (q.search(EVERYWHERE) >= 0) found.delete('country WLD');
  const revised = q.search(REVISION_WORDS) >= 0;
  const years = units.flatMap(({ text }) => (YEAR.test(text) ? [text] : []));
  const unknown = units.filter(
    ({ text }, index) => !taken.has(index) && !years.includes(text) && !STOP_WORDS.has(text) && !LINKS.has(text),
  );
  const unheard = unheardIn(q, units, unknown);
  const isMeant = ({ from, to }: Found): boolean =>
    unheard.length === 0 || to - from > 1 || !ASIDE.has(units[from]?.text ?? '');
  return {
    subjects: [...found.values()].filter(isMeant),
    years,
    revised,
    understood: unknown.length === 0,
    unknown: unknown.filter(({ cjk }) => !cjk).map(({ text }) => text),
    unheard,
    isQuestion: revised || hasStopWords(q),
  };
}

function unitsOf(q: string): SentenceUnit[] {
  const units = pieces(q).flatMap(({ script, text }) =>
    script === 'latin'
      ? [{ text, joined: false, cjk: false }]
      : Array.from(text).map((character, index) => ({ text: character, joined: index > 0, cjk: true })),
  );
  return units.slice(0, MOST_UNITS);
}

/** All runs that may be a name, longest first. */
function spansOf(units: readonly SentenceUnit[], q: string): Span[] {
  const spans: Span[] = [];
  for (let length = Math.min(LONGEST, units.length); length > 0; length--) {
    for (let from = 0; from + length <= units.length; from++) {
      const run = units.slice(from, from + length);
      const meant = run.filter(({ text }) => !isSmallWord(text));
      if (meant.length === 1 && !mayName(meant[0], q)) continue;
      const key = keyOfWords(wordsOf(run));
      const keys = [...new Set([key, singularKey(key)])];
      spans.push({ from, to: from + length, keys, demonymOf: codeOfDemonym(key) });
    }
  }
  return spans;
}

/** Search knows each economy by its code too. */
const codeKeys = ({ demonymOf }: Span): string[] => (demonymOf === undefined ? [] : [demonymOf.toLowerCase()]);

/** Written small by everybody. */
const SMALL_CODES = new Set(['us', 'uk', 'eu']);
const MONEY = /^m\d$/;

/** One character names nothing, and other codes of two letters, or like a word, only in capitals: IN is India, in is not. */
function mayName(unit: SentenceUnit | undefined, q: string): boolean {
  if (unit === undefined || unit.cjk) return false;
  const { text } = unit;
  const isWord = STOP_WORDS.has(text);
  if (!isWord && (text.length > 2 || SMALL_CODES.has(text) || MONEY.test(text))) return true;
  if (isWord && (text.length !== 3 || q === q.toUpperCase())) return false;
  return q.split(/[^A-Za-z0-9]/).includes(text.toUpperCase());
}

function wordsOf(run: readonly SentenceUnit[]): string[] {
  const words: string[] = [];
  for (const [index, { text, joined }] of run.entries()) {
    if (joined && index > 0) words.push(`${words.pop() ?? ''}${text}`);
    else words.push(text);
  }
  return words;
}
