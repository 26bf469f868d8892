import { pieces, type Piece } from '../../search/words.js';

/** A term and its weight among the others. */
export interface SearchTerm extends Piece {
  readonly weight: number;
}

/** A normalised query. Without terms it matches nothing. */
export interface SearchTerms {
  /** The whole text, tokens separated by one space: the form of stored names. */
  readonly text: string;
  readonly terms: readonly SearchTerm[];
}

/** Stop words: names often omit them. */
const SMALL_WORDS = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);
/** Real queries have fewer terms, and each costs time. */
const MOST_PIECES = 16;

export function searchTermsOf(q: string): SearchTerms {
  const all = pieces(q);
  const large = all.filter(({ text }) => !SMALL_WORDS.has(text));
  const distinct = new Map((large.length > 0 ? large : all).map((piece) => [piece.text, piece]));
  return {
    text: all.map(({ text }) => text).join(' '),
    terms: [...distinct.values()]
      .slice(0, MOST_PIECES)
      .map((piece) => ({ ...piece, weight: weightOf(piece) })),
  };
}

/** Two Han characters weigh as much as a short word, and an abbreviation no less than a long word. */
function weightOf({ script, text }: Piece): number {
  const length = Array.from(text).length;
  return script === 'cjk' ? 2 + Math.min(length, 10) : 3 + Math.min(length, 9) / 3;
}
