// Finds the indexed words that a Latin word of a query may mean.
import type { Read } from '../../database/snapshots.js';
import { oneEdit } from './one-edit.rule.js';
import type { SearchTerm } from './search-terms.rule.js';

/** The weight of a form relative to the exact word. */
const WORTH = { itself: 1, plural: 0.95, joined: 0.9, beginning: 0.8, misspelt: 0.7 } as const;
const SHORTEST_BEGINNING = 3;
const SHORTEST_MISSPELT = 4;

/** By term: its forms, each with its weight. */
export type Forms = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The first words with a given prefix, the exact word first. */
export const BEGINNINGS = `
  SELECT a.word AS term, v.word
  FROM unnest($1::text[]) AS a (word)
    CROSS JOIN LATERAL (
      SELECT w.word FROM search_words w
      WHERE w.word >= a.word AND w.word < a.word || chr(1114111) AND w.since <= $2
      ORDER BY w.word LIMIT 8) v`;

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
  const singular = latin.flatMap((word) => (/.{3,}s$/.test(word) ? [word.slice(0, -1)] : []));
  const rows = await read<FormRow>(BEGINNINGS, [[...new Set([...latin, ...joined, ...singular])], asOf]);
  const standing = (word: string): boolean => rows.some((row) => row.term === word && row.word === word);
  const forms = new Map<string, Map<string, number>>(latin.map((word) => [word, new Map()]));
  const add = (word: string, form: string, worth: number): void => {
    const held = forms.get(word);
    if (held !== undefined) held.set(form, Math.max(worth, held.get(form) ?? 0));
  };
  for (const { term: word, word: form } of rows) {
    if (form === word) add(word, form, WORTH.itself);
    else if (form === `${word}s`) add(word, form, WORTH.plural);
    else if (word.length >= SHORTEST_BEGINNING && /^\p{L}/u.test(word)) add(word, form, WORTH.beginning);
  }
  for (const [index, word] of joined.entries()) {
    if (!standing(word)) continue;
    add(latin[index] ?? '', word, WORTH.joined);
    add(latin[index + 1] ?? '', word, WORTH.joined);
  }
  for (const word of singular) if (standing(word)) add(`${word}s`, word, WORTH.plural);
  await addMisspelt(read, forms, asOf);
  return forms;
}

/** Only without an exact match: an indexed word is not taken for a misspelling. */
async function addMisspelt(read: Read, forms: Map<string, Map<string, number>>, asOf: number): Promise<void> {
  const lost = [...forms].flatMap(([word, found]) =>
    found.size === 0 && word.length >= SHORTEST_MISSPELT && /^\p{L}+$/u.test(word) ? [word] : [],
  );
  if (lost.length === 0) return;
  for (const { term, word } of await read<FormRow>(SIMILAR, [lost, asOf])) {
    if (oneEdit(term, word)) forms.get(term)?.set(word, WORTH.misspelt);
  }
}
