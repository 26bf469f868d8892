import { distance } from 'fastest-levenshtein';

/** A longer text than any known name is not compared. */
const LONGEST_COMPARED = 64;

/** The known names that the caller may have meant, best first; all of them if they are few and none is similar. */
export function nearest(sent: string, known: readonly string[], most = 3): string[] {
  if (known.length <= most) return [...known];
  const near = similar(sent, known, most);
  // A short list helps more than none.
  if (near.length === 0 && known.length <= 12) return [...known];
  return near;
}

/**
 * The known names that are similar to the text, best first.
 *
 * @param furthest edits at most; default: a third of the name, or two letters in each other's place
 */
export function similar(sent: string, known: readonly string[], most = 3, furthest?: number): string[] {
  if (sent.length > LONGEST_COMPARED) return [];
  const word = sent.toLowerCase();
  return known
    .map((name) => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= (furthest ?? (isExchange(word, name, away) ? 2 : Math.ceil(name.length / 3))))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

const isExchange = (word: string, name: string, away: number): boolean =>
  away === 2 && lettersOf(word) === lettersOf(name.toLowerCase());

const lettersOf = (text: string): string => Array.from(text).sort().join('');

/** How commands say that a name does not exist: `There is no source 'bsl'. Did you mean bls?` */
export function noSuch(what: string, name: string | number, known: readonly string[] = [], furthest?: number): string {
  if (typeof name === 'number') return `There is no ${what} ${name}`;
  // A name that exists elsewhere, such as in another account, is not what was meant.
  const others = known.filter((one) => one !== name);
  const near = similar(name, others, 3, furthest);
  return [`There is no ${what} '${name}'`, ...(near.length === 0 ? [] : [didYouMean(near)])].join('. ');
}

export const didYouMean = (names: readonly string[]): string => `Did you mean ${names.join(' or ')}?`;
