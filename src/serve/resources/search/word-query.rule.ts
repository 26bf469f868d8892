// Builds tsquery texts. Words consist of letters, marks and digits, so none contains an operator or a quotation mark.
// `~` before each word is the placeholder of the partition number.
import { inPartition } from '../../../domain/search/index-partitions.js';
import { bigrams } from '../../../domain/search/words.js';
import type { Forms } from './forms.rows.js';
import type { SearchTerm } from './search-terms.rule.js';

/** The forms to search for a word; none if the index lacks all of them. */
export type Alternatives = (word: string) => readonly string[];

/** Latin words by their forms, bigrams by themselves. */
export const formsAs =
  (forms: Forms): Alternatives =>
  (word) => [...(forms.get(word)?.keys() ?? [word])];

/** Placeholder of the partition number. */
const ANYWHERE = '~';

const any = (words: readonly string[]): string => `(${[...new Set(words)].map(lexeme).join(' | ')})`;

/** A form that ends in `*` is a prefix. */
const lexeme = (form: string): string =>
  form.endsWith('*') ? `'${inPartition(ANYWHERE, form.slice(0, -1))}':*` : `'${inPartition(ANYWHERE, form)}'`;

export const queryOfFacet = (token: string): string => any([token]);

/** Matches one token of each group that has some. */
export const queryOfFacets = (groups: readonly (readonly string[])[]): string =>
  groups
    .filter((tokens) => tokens.length > 0)
    .map(any)
    .join(' & ');

export const wordsOf = ({ script, text }: SearchTerm): string[] => (script === 'cjk' ? bigrams(text) : [text]);

/**
 * Each character of a run must lie in a matching bigram: 中国物价 matches 中国 and 物价 apart. null if a character cannot
 * match.
 */
function coveringCondition(run: string, alternatives: Alternatives): string | null {
  const cut = bigrams(run).map((bigram) => alternatives(bigram));
  const ends = cut.length < 2 ? cut : [cut[0] ?? [], cut.at(-1) ?? []];
  const inner = cut.slice(1).map((bigram, index) => [...(cut[index] ?? []), ...bigram]);
  const all = [...ends, ...(cut.length < 3 ? [] : inner)];
  return all.some((words) => words.length === 0) ? null : all.map(any).join(' & ');
}

/** Matches all terms that are not optional; null if the index lacks one of them. */
export function queryOfAll(terms: readonly SearchTerm[], alternatives: Alternatives): string | null {
  const required = terms.filter(({ optional }) => optional !== true);
  const conditions = required.map((piece) => {
    if (piece.script === 'cjk') return coveringCondition(piece.text, alternatives);
    const words = alternatives(piece.text);
    return words.length === 0 ? null : any(words);
  });
  return conditions.length === 0 || conditions.includes(null) ? null : conditions.join(' & ');
}

/** Matches any word of any term; null if the index lacks all of them. */
export function queryOfAny(terms: readonly SearchTerm[], alternatives: Alternatives): string | null {
  const words = terms.flatMap(wordsOf).flatMap((word) => alternatives(word));
  return words.length === 0 ? null : any(words);
}
