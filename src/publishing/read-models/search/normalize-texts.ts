import { isCjk, pieces, words } from '../../../search/words.js';

/** Texts of a subject as its statement gives them. */
export interface SubjectTexts {
  readonly names: readonly (string | null)[];
  readonly more: readonly (string | null)[];
}

export interface NormalizedTexts {
  /** Each name once, in pieces one space apart. */
  readonly names: readonly string[];
  /** All words of names and other texts, each once. */
  readonly words: readonly string[];
  /** Those of them without Han and kana. */
  readonly latin: readonly string[];
}

/** Longer names are not searched as names. */
const LONGEST_NAME = 200;

export function normalizeTexts({ names, more }: SubjectTexts): NormalizedTexts {
  const folded = names.map((name) =>
    pieces(name ?? '')
      .map(({ text }) => text)
      .join(' ')
      .slice(0, LONGEST_NAME)
      .trim(),
  );
  const all = [...new Set([...names, ...more].flatMap((text) => words(text ?? '')))];
  return {
    names: [...new Set(folded)].filter((name) => name !== ''),
    words: all,
    latin: all.filter((word) => !isCjk(word)),
  };
}
