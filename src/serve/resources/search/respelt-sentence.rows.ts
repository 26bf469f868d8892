import { codeOfDemonym } from '../../../domain/search/demonyms.js';
import type { Read } from '../../../store/snapshots.js';
import { findForms, oneEditFrom } from './forms.rows.js';
import { readSentence, type SearchedSentence } from './named-subjects.rows.js';
import { AS_OF } from './search.rows.js';

/** Shorter words are one letter from too many others. */
const SHORTEST = 5;

export interface RespeltSentence extends SearchedSentence {
  /** As it was read, if a word was one letter off. */
  readonly respelt: string | null;
}

/** The sentence; if no index has some of its words, with those one letter off, where it then names more. */
export async function readRespelt(read: Read, q: string): Promise<RespeltSentence> {
  const sentence = { ...(await readSentence(read, q)), respelt: null };
  const words = sentence.unknown.filter((word) => word.length >= SHORTEST && codeOfDemonym(word) === undefined);
  if (words.length === 0) return sentence;
  const [held] = await read<{ dataVersion: number }>(AS_OF, [null]);
  const asOf = held?.dataVersion ?? 0;
  const terms = words.map((text) => ({ script: 'latin' as const, text, weight: 1 }));
  const forms = await findForms(read, terms, asOf);
  const lost = words.filter((word) => !forms.get(word)?.has(word));
  const rows = lost.length === 0 ? [] : await oneEditFrom(read, lost, asOf);
  const respelt = lost.reduce((text, word) => {
    const row = rows.find(({ term }) => term === word);
    return row === undefined ? text : text.replace(new RegExp(`\\b${word}\\b`, 'iu'), row.word);
  }, q);
  if (respelt === q) return sentence;
  const other = await readSentence(read, respelt);
  return other.subjects.length > sentence.subjects.length ? { ...other, respelt } : sentence;
}
