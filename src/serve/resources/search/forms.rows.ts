// Finds the indexed words that a Latin word of a query may mean.
import type { Read } from '../../../store/snapshots.js';
import type { SearchTerm } from './search-terms.rule.js';

/** The weight of a form relative to the exact word. */
const WORTH = { itself: 1, plural: 0.95, joined: 0.9, beginning: 0.8, misspelt: 0.7 } as const;
const SHORTEST_BEGINNING = 3;
const SHORTEST_MISSPELT = 4;

/** By term: its forms, each with its weight. A form that ends in `*` is every word that begins so. */
export type Forms = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The weight of the best form that equals the word; 0 without one. */
export function weightOfForm(forms: ReadonlyMap<string, number> | undefined, word: string): number {
  let best = forms?.get(word) ?? 0;
  for (const [form, weight] of forms ?? [])
    if (weight > best && form.endsWith('*') && word.startsWith(form.slice(0, -1))) best = weight;
  return best;
}

/** The word, if it is indexed, and one longer word that begins with it. */
export const BEGINNINGS = `
  SELECT a.word AS term, v.word
  FROM unnest($1::text[]) AS a (word)
    CROSS JOIN LATERAL (
      SELECT w.word FROM search_words w
      WHERE w.word >= a.word AND w.word < a.word || chr(1114111) AND w.since <= $2
      ORDER BY w.word LIMIT 2) v`;

export const SIMILAR = `
  SELECT a.word AS term, v.word
  FROM unnest($1::text[]) AS a (word) CROSS JOIN LATERAL similar_search_words(a.word, $2) AS v (word)`;

interface FormRow {
  readonly term: string;
  readonly word: string;
}

/** @param asOf the data version of the index */
export async function findForms(read: Read, terms: readonly SearchTerm[], asOf: number): Promise<Forms> {
  const latin = terms.filter(({ script }) => script === 'latin').map(({ text }) => text);
  if (latin.length === 0) return new Map();
  const joined = latin.slice(1).map((word, index) => `${latin[index] ?? ''}${word}`);
  const numbers = latin.map((word) => [word, ...otherNumber(word)] as const);
  const rows = await read<FormRow>(BEGINNINGS, [[...new Set([...numbers.flat(), ...joined])], asOf]);
  const standing = (word: string): boolean => rows.some((row) => row.term === word && row.word === word);
  const forms = new Map<string, Map<string, number>>(latin.map((word) => [word, new Map()]));
  const add = (word: string, form: string, worth: number): void => {
    const held = forms.get(word);
    if (held !== undefined) held.set(form, Math.max(worth, held.get(form) ?? 0));
  };
  for (const [word, ...others] of numbers) {
    if (standing(word)) add(word, word, WORTH.itself);
    for (const other of others) if (standing(other)) add(word, other, WORTH.plural);
    const begins = rows.some((row) => row.term === word && row.word !== word);
    const shortest = standing(word) ? SHORTEST_BEGINNING : SHORTEST_BEGINNING - 1;
    if (begins && word.length >= shortest && /^\p{L}/u.test(word)) add(word, `${word}*`, WORTH.beginning);
  }
  for (const [index, word] of joined.entries()) {
    if (!standing(word)) continue;
    add(latin[index] ?? '', word, WORTH.joined);
    add(latin[index + 1] ?? '', word, WORTH.joined);
  }
  await addMisspelt(read, forms, asOf);
  return forms;
}

/** Its plural and its singular, as regular nouns form them. */
const otherNumber = (word: string): string[] => [`${word}s`, ...(/.{3,}s$/.test(word) ? [word.slice(0, -1)] : [])];

/** Only without an exact match: an indexed word is not taken for a misspelling. */
async function addMisspelt(read: Read, forms: Map<string, Map<string, number>>, asOf: number): Promise<void> {
  const lost = [...forms].flatMap(([word, found]) =>
    found.size === 0 && word.length >= SHORTEST_MISSPELT && /^\p{L}+$/u.test(word) ? [word] : [],
  );
  if (lost.length === 0) return;
  for (const { term, word } of await oneEditFrom(read, lost, asOf)) forms.get(term)?.set(word, WORTH.misspelt);
}

/** Indexed words that are one letter off. */
export async function oneEditFrom(read: Read, words: readonly string[], asOf: number): Promise<FormRow[]> {
  const rows = await read<FormRow>(SIMILAR, [words, asOf]);
  return rows.filter(({ term, word }) => oneEdit(term, word));
}

/** Whether inserting, deleting or replacing one letter, or swapping two neighbours, makes the words equal. */
export function oneEdit(one: string, other: string): boolean {
  const [short, long] = [Array.from(one), Array.from(other)].sort((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || long.length - short.length > 1 || one === other) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const rest = (letters: readonly string[], from: number): string => letters.slice(from).join('');
  if (long.length > short.length) return rest(short, start) === rest(long, start + 1);
  return (
    rest(short, start + 1) === rest(long, start + 1) ||
    (short[start] === long[start + 1] &&
      short[start + 1] === long[start] &&
      rest(short, start + 2) === rest(long, start + 2))
  );
}
