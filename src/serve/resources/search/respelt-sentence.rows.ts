import type { Read } from '../../../store/snapshots.js';
import { findForms, isMisspelt } from './forms.rows.js';
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
  const words = sentence.unknown.filter(({ length }) => length >= SHORTEST);
  if (words.length === 0) return sentence;
  const [held] = await read<{ dataVersion: number }>(AS_OF, [null]);
  const terms = words.map((text) => ({ script: 'latin' as const, text, weight: 1 }));
  const forms = await findForms(read, terms, held?.dataVersion ?? 0);
  const respelt = words.reduce((text, word) => {
    const [form] = [...(forms.get(word) ?? [])].filter(isMisspelt);
    return form === undefined ? text : text.replace(new RegExp(`\\b${word}\\b`, 'iu'), form[0]);
  }, q);
  if (respelt === q) return sentence;
  const other = await readSentence(read, respelt);
  return other.subjects.length > sentence.subjects.length ? { ...other, respelt } : sentence;
}
