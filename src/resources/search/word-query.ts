// Questions as PostgreSQL's text search takes them. Words are of letters, marks and digits, so nothing in them can be
// an operator or a quotation mark. Before each stands `~`, for the stretch or shelf that is looked into.
import { inStretch } from '../../folding/stretches.js';
import { bigrams } from '../../folding/words.js';
import type { Forms } from './forms.js';
import type { Asked } from './question.js';

/** By what a word is looked for; nothing where it stands nowhere. */
export type Alternatives = (word: string) => readonly string[];

/** Latin words by their forms, bigrams by themselves. */
export const formsAs =
  (forms: Forms): Alternatives =>
  (word) => [...(forms.get(word)?.keys() ?? [word])];

/** Stands for the number of a stretch or shelf. */
const ANYWHERE = '~';

const any = (words: readonly string[]): string =>
  `(${[...new Set(words)].map((word) => `'${inStretch(ANYWHERE, word)}'`).join(' | ')})`;

export const wordsOf = ({ script, text }: Asked): string[] => (script === 'cjk' ? bigrams(text) : [text]);

/**
 * Each character of a run must lie in a bigram that is there: 中国物价 is found where 中国 and 物价 stand apart.
 * null: some character cannot.
 */
function coveringCondition(run: string, alternatives: Alternatives): string | null {
  const cut = bigrams(run).map((bigram) => alternatives(bigram));
  const ends = cut.length < 2 ? cut : [cut[0] ?? [], cut.at(-1) ?? []];
  const inner = cut.slice(1).map((bigram, index) => [...(cut[index] ?? []), ...bigram]);
  const all = [...ends, ...(cut.length < 3 ? [] : inner)];
  return all.some((words) => words.length === 0) ? null : all.map(any).join(' & ');
}

/** What holds all pieces; null where a piece is nowhere. */
export function queryOfAll(asked: readonly Asked[], alternatives: Alternatives): string | null {
  const conditions = asked.map((piece) => {
    if (piece.script === 'cjk') return coveringCondition(piece.text, alternatives);
    const words = alternatives(piece.text);
    return words.length === 0 ? null : any(words);
  });
  return conditions.length === 0 || conditions.includes(null) ? null : conditions.join(' & ');
}

/** What holds any word of any piece; null where none stands anywhere. */
export function queryOfAny(asked: readonly Asked[], alternatives: Alternatives): string | null {
  const words = asked.flatMap(wordsOf).flatMap((word) => alternatives(word));
  return words.length === 0 ? null : any(words);
}
