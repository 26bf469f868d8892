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

/** The known names that are similar to the text, best first. */
export function similar(sent: string, known: readonly string[], most = 3): string[] {
  if (sent.length > LONGEST_COMPARED) return [];
  const word = sent.toLowerCase();
  return known
    .map((name) => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 2))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}
