import { companyKeys, leadingKeys, nameKey, singularKey } from '../../../domain/search/names.js';
import { isCjk, pieces, words } from '../../../domain/search/words.js';

/** Texts of a subject as its statement gives them. */
export interface SubjectTexts {
  readonly names: readonly (string | null)[];
  readonly more: readonly (string | null)[];
  /** Whether its names are names of companies, which are said without their legal form. */
  readonly company: boolean;
  /** Whether it has a ticker: its name is said by its first words. */
  readonly listed: boolean;
}

/** `loose`: without the legal form of a company, in the singular, or leading words only. */
export interface NameKey {
  readonly name: string;
  readonly loose: boolean;
}

export interface NormalizedTexts {
  /** Each name once, in pieces one space apart. */
  readonly names: readonly string[];
  /** What a query equals that gives one of the names whole. */
  readonly keys: readonly NameKey[];
  /** All words of names and other texts, each once. */
  readonly words: readonly string[];
  /** Those of them without Han and kana. */
  readonly latin: readonly string[];
}

/** Longer names are not searched as names. */
const LONGEST_NAME = 200;

export function normalizeTexts({ names, more, company, listed }: SubjectTexts): NormalizedTexts {
  const folded = names.map((name) =>
    pieces(name ?? '')
      .map(({ text }) => text)
      .join(' ')
      .slice(0, LONGEST_NAME)
      .trim(),
  );
  const keys = names.flatMap((name) => {
    const [key = '', ...shorter] = company ? companyKeys(name ?? '') : [nameKey(name ?? '')];
    return [
      { name: key, loose: false },
      ...[...shorter, singularKey(key), ...shorter.map(singularKey)].map((other) => ({ name: other, loose: true })),
      ...(listed ? leadingKeys(name ?? '') : []).map((other) => ({ name: other, loose: true })),
    ];
  });
  const all = [...new Set([...names, ...more].flatMap((text) => words(text ?? '')))];
  return {
    names: [...new Set(folded)].filter((name) => name !== ''),
    keys: keys.filter((key) => key.name !== ''),
    words: all,
    latin: all.filter((word) => !isCjk(word)),
  };
}
