import { distance } from 'fastest-levenshtein';

/** The known names that someone may have meant, best first; all of them where there are few and none is near. */
export function nearest(sent: string, known: readonly string[], most = 3): string[] {
  if (known.length <= most) return [...known];
  const word = sent.slice(0, 64).toLowerCase();
  const near = known
    .map((name) => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 2))
    .sort((a, b) => a.away - b.away || (a.name < b.name ? -1 : 1));
  // Where nothing is near, a short list says more than none.
  if (near.length === 0 && known.length <= 12) return [...known];
  return near.slice(0, most).map(({ name }) => name);
}
