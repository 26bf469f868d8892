import { isLegalForm, leadingKey, nameKey, singularKey } from '../../../domain/search/names.js';
import { pieces, type Piece } from '../../../domain/search/words.js';
import { STOP_PHRASES, STOP_WORDS } from './stop-words.rule.js';

/** A term and its weight among the others. */
export interface SearchTerm extends Piece {
  readonly weight: number;
  /** A legal form after a name: it need not be there. */
  readonly optional?: true;
}

/** A normalised query. Without terms it matches nothing. */
export interface SearchTerms {
  /** All tokens, separated by one space. */
  readonly text: string;
  /** The whole query as the key of a name, then in the singular where that differs, and as leading words of a name. */
  readonly keys: readonly string[];
  readonly terms: readonly SearchTerm[];
}

/** Real queries have fewer terms, and each costs time. */
const MOST_PIECES = 16;
const WEIGHT_OF_FORM = 0.2;

export function searchTermsOf(q: string): SearchTerms {
  const all = pieces(q);
  const meant = all.flatMap(withoutStopWords);
  const distinct = [...new Map((meant.length > 0 ? meant : all).map((piece) => [piece.text, piece])).values()];
  const form = distinct.findLastIndex(({ text }) => !isLegalForm(text)) + 1;
  const key = nameKey(meant.length < all.length && IDENTIFIER.test(all[0]?.text ?? '') ? textOf(meant) : q);
  return {
    text: textOf(all),
    keys: [...new Set([key, singularKey(key), leadingKey(key)])],
    terms: distinct
      .slice(0, MOST_PIECES)
      .map((piece, index) =>
        form > 0 && index >= form
          ? { ...piece, weight: WEIGHT_OF_FORM, optional: true as const }
          : { ...piece, weight: weightOf(piece) },
      ),
  };
}

/** CIK 320193, LEI 5299…: what kind of identifier follows is said, and is no part of it. */
const IDENTIFIER = /^(?:cik|lei|ticker)$/;

const textOf = (all: readonly Piece[]): string => all.map(({ text }) => text).join(' ');

/** Whether some of its words are of asking and not of a name. */
export const hasStopWords = (q: string): boolean =>
  pieces(q).some((piece) => {
    const [kept, ...others] = withoutStopWords(piece);
    return others.length > 0 || kept?.text !== piece.text;
  });

function withoutStopWords(piece: Piece): Piece[] {
  if (piece.script === 'latin') return STOP_WORDS.has(piece.text) ? [] : [piece];
  return piece.text
    .split(STOP_PHRASES)
    .filter((text) => text !== '')
    .map((text) => ({ script: 'cjk', text }));
}

/** Two Han characters weigh as much as a short word, and an abbreviation no less than a long word. */
function weightOf({ script, text }: Piece): number {
  const length = Array.from(text).length;
  return script === 'cjk' ? 2 + Math.min(length, 10) : 3 + Math.min(length, 9) / 3;
}
