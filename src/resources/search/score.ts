import { bigrams } from '../../folding/words.js';
import type { Forms } from './forms.js';
import type { Asked, SearchQuestion } from './question.js';

/** What a document is measured by. */
export interface Measured {
  /** Folded, in pieces one space apart. */
  readonly names: readonly string[];
  /** 0..100: what is wanted more often where words decide nothing. */
  readonly rank: number;
  /** Whether all that was asked stands somewhere in it, if not in one name. */
  readonly whole: boolean;
}

/** The rest is for the rank. */
const FOR_WORDS = 900;
/** A name that holds all that was asked, and much else, is worth this part of one that is what was asked. */
const LOOSE = 0.7;
/** What stands in no name but in what is said of it. */
const ELSEWHERE = 0.5;
/** Less of a question than this is chance. */
const LEAST_SHARE = 0.15;
/** What a word that stands nowhere says beside one that does: nothing can answer it. */
const UNKNOWN = 0.5;
const LEAST_COVERED = 0.5;

interface Match {
  /** 0..1, of what the piece says. */
  readonly strength: number;
  /** Characters of the name that it accounts for. */
  readonly characters: number;
}

const NONE: Match = { strength: 0, characters: 0 };

/** 0..1000, or null for what does not answer the question. The formula stands in docs/search.md. */
export function scoreOf({ text, asked }: SearchQuestion, forms: Forms, measured: Measured): number | null {
  const total = asked.reduce(
    (sum, { text: word, weight }) => sum + (forms.get(word)?.size === 0 ? UNKNOWN * weight : weight),
    0,
  );
  let best = measured.whole ? ELSEWHERE * (worth(asked, forms) / total) ** 2 : 0;
  for (const name of measured.names) {
    if (name === text) best = 1;
    if (best === 1) break;
    best = Math.max(best, likeness(name, asked, forms, total));
  }
  return best === 0 ? null : Math.round(FOR_WORDS * best) + measured.rank;
}

/** What the best forms of all pieces say together. */
function worth(asked: readonly Asked[], forms: Forms): number {
  return asked.reduce(
    (sum, { text, weight }) => sum + weight * Math.max(...(forms.get(text)?.values() ?? [1])),
    0,
  );
}

function likeness(name: string, asked: readonly Asked[], forms: Forms, total: number): number {
  const parts = name.split(' ');
  let said = 0;
  let characters = 0;
  for (const piece of asked) {
    const match =
      piece.script === 'cjk' ? matchRun(piece.text, name) : matchWord(parts, forms.get(piece.text));
    said += piece.weight * match.strength;
    characters += match.characters;
  }
  const share = said / total;
  if (share < LEAST_SHARE) return 0;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return share ** 2 * (LOOSE + (1 - LOOSE) * Math.min(1, characters / length));
}

function matchWord(parts: readonly string[], forms: ReadonlyMap<string, number> | undefined): Match {
  let best = NONE;
  for (const part of parts) {
    const strength = forms?.get(part) ?? 0;
    if (strength > best.strength) best = { strength, characters: part.length };
  }
  return best;
}

/** How many of a run's characters lie in bigrams that the name holds. */
function matchRun(run: string, name: string): Match {
  const { length } = Array.from(run);
  const covered = new Set<number>();
  for (const [at, bigram] of bigrams(run).entries()) {
    if (!name.includes(bigram)) continue;
    covered.add(at);
    if (length > 1) covered.add(at + 1);
  }
  const share = covered.size / length;
  return share < LEAST_COVERED ? NONE : { strength: share, characters: covered.size };
}
