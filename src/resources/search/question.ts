import { pieces, type Piece } from '../../folding/words.js';

/** A piece of what was asked, and how much it says beside the others. */
export interface Asked extends Piece {
  readonly weight: number;
}

/** What was asked, folded. Without pieces there is nothing to find. */
export interface SearchQuestion {
  /** All of it, in pieces one space apart: how names are stored. */
  readonly text: string;
  readonly asked: readonly Asked[];
}

/** Names are as often written without them. */
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
/** Nobody asks with more, and each costs. */
const MOST_PIECES = 16;

export function questionOf(q: string): SearchQuestion {
  const all = pieces(q);
  const large = all.filter(({ text }) => !SMALL_WORDS.has(text));
  const distinct = new Map((large.length > 0 ? large : all).map((piece) => [piece.text, piece]));
  return {
    text: all.map(({ text }) => text).join(' '),
    asked: [...distinct.values()]
      .slice(0, MOST_PIECES)
      .map((piece) => ({ ...piece, weight: weightOf(piece) })),
  };
}

/** Two Han characters say as much as a short word, and an abbreviation no less than a long word does. */
function weightOf({ script, text }: Piece): number {
  const length = Array.from(text).length;
  return script === 'cjk' ? 2 + Math.min(length, 10) : 3 + Math.min(length, 9) / 3;
}
