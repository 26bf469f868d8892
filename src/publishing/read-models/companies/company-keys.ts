// Keys of the company index; resources/companies reads by them.

/** The prefixes of a normalised word, of two to four characters, and a shorter word itself. */
function wordKeys(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length <= 2) return [word];
  return [2, 3, 4]
    .filter((length) => length <= characters.length)
    .map((length) => characters.slice(0, length).join(''));
}

export function companyKeysOf(words: readonly string[]): string[] {
  return [...new Set(words.flatMap(wordKeys))];
}
