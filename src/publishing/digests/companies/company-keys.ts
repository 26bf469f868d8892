// By which keys a company is found: the reader's side stands in resources/companies.

/** The beginnings of a folded word, of two to four characters, and the word itself where it is shorter. */
function wordKeys(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length <= 2) return [word];
  return [2, 3, 4]
    .filter((length) => length <= characters.length)
    .map((length) => characters.slice(0, length).join(''));
}

export function keysOf(words: readonly string[]): string[] {
  return [...new Set(words.flatMap(wordKeys))];
}
