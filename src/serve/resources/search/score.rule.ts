import { bigrams } from '../../../domain/search/words.js';
import { weightOfForm, type Forms } from './forms.rows.js';
import type { SearchTerm, SearchTerms } from './search-terms.rule.js';

/**
 * How the whole query names a document: by a name of it, by one but for legal form or number, or by the leading words of
 * a listed company's name.
 */
export type Named = 'whole' | 'loose' | 'leading';

/** The properties that a document's score depends on. */
export interface Measured {
  /** Normalised names, tokens separated by one space. */
  readonly names: readonly string[];
  /** 0..100: decides between equal matches. */
  readonly rank: number;
  readonly named: Named | null;
  /** Whether the document contains all terms, if not in one name. */
  readonly whole: boolean;
}

/** For a query that names the document. The rest is for the rank. */
const FOR_NAMED: Readonly<Record<Named, number>> = { whole: 900, loose: 878, leading: 810 };
/** For words of a name: whatever the rank, less than for the name. */
const FOR_WORDS = 790;
/** The score of a long name that contains all terms, relative to a name that equals them. */
const LOOSE = 0.7;
/** The score of a match in the description only. */
const ELSEWHERE = 0.5;
/** A match of a smaller part of the terms is chance. */
const LEAST_SHARE = 0.15;
/** The weight of a word without any match, which no document can contain. */
const UNKNOWN = 0.5;
const LEAST_COVERED = 0.5;

interface Match {
  /** 0..1, of the term's weight. */
  readonly strength: number;
  /** Characters of the name that it matches. */
  readonly characters: number;
}

const NONE: Match = { strength: 0, characters: 0 };

/** The least score of a document that the query names: a listed company has at least this rank. */
const LEAST_NAMED = FOR_NAMED.leading + 50;

/** Whether a score says that the whole query names the document. */
export const isNamed = (score: number): boolean => score >= LEAST_NAMED;

/** 0..1000, or null if the document does not match. docs/explanation/search.md has the formula. */
export function scoreOf({ terms }: SearchTerms, forms: Forms, measured: Measured): number | null {
  if (measured.named !== null) return measured.rank + FOR_NAMED[measured.named];
  const total = terms.reduce(
    (sum, { text: word, weight }) => sum + (forms.get(word)?.size === 0 ? UNKNOWN * weight : weight),
    0,
  );
  let best = measured.whole ? ELSEWHERE * (worth(terms, forms) / total) ** 2 : 0;
  for (const name of measured.names) best = Math.max(best, likeness(name, terms, forms, total));
  return best === 0 ? null : Math.round(FOR_WORDS * best) + measured.rank;
}

/** The summed weight of the best forms of all terms. */
function worth(terms: readonly SearchTerm[], forms: Forms): number {
  return terms.reduce((sum, { text, weight }) => sum + weight * Math.max(...(forms.get(text)?.values() ?? [1])), 0);
}

function likeness(name: string, terms: readonly SearchTerm[], forms: Forms, total: number): number {
  const parts = name.split(' ');
  let matched = 0;
  let characters = 0;
  for (const piece of terms) {
    const match = piece.script === 'cjk' ? matchRun(piece.text, name) : matchWord(parts, forms.get(piece.text));
    matched += piece.weight * match.strength;
    characters += match.characters;
  }
  const share = matched / total;
  if (share < LEAST_SHARE) return 0;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return share ** 2 * (LOOSE + (1 - LOOSE) * Math.min(1, characters / length));
}

function matchWord(parts: readonly string[], forms: ReadonlyMap<string, number> | undefined): Match {
  let best = NONE;
  for (const part of parts) {
    const strength = weightOfForm(forms, part);
    if (strength > best.strength) best = { strength, characters: part.length };
  }
  return best;
}

/** Parts of many names: alone, in a longer run, they name nothing. */
const GENERIC = new Set([
  '指数',
  '指數',
  '平均',
  '国际',
  '国際',
  '公司',
  '会社',
  '企業',
  '企业',
  '国家',
  '个国',
  '价格',
  '価格',
  '数据',
  '統計',
  '统计',
]);

/** The number of characters of a run that the name's bigrams cover. */
function matchRun(run: string, name: string): Match {
  const { length } = Array.from(run);
  const covered = new Set<number>();
  for (const [at, bigram] of bigrams(run).entries()) {
    if (!name.includes(bigram) || (length > 2 && GENERIC.has(bigram))) continue;
    covered.add(at);
    if (length > 1) covered.add(at + 1);
  }
  const share = covered.size / length;
  return share < LEAST_COVERED ? NONE : { strength: share, characters: covered.size };
}
