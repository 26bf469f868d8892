// What `q` asks of changes. A change is indexed by the words of its headline and marked by what it is about; the
// names and other names of that are looked up here, so that they need not stand with each change.
import { mark, SHELVES } from '../../folding/stretches.js';
import type { Read } from '../../database/snapshots.js';
import { findForms, type Forms } from './forms.js';
import { questionOf } from './question.js';
import { formsAs, queryOfAll, queryOfAny, wordsOf } from './word-query.js';

const NEWEST = 'SELECT coalesce(max(id), 0) AS revision FROM revisions';

/** Economies, indicators and instruments: they have the first shelves to themselves. */
export const SUBJECTS = `
  SELECT d.type, d.key, t.names
  FROM (SELECT shelf FROM search_shelves WHERE shelf < ${String(SHELVES)} ORDER BY shelf) s
    CROSS JOIN LATERAL (
      SELECT d.id, d.type, d.key FROM search_documents d
      WHERE d.words @@ replace($1, '~', s.shelf::text)::tsquery AND d.until IS NULL OFFSET 0) d
    JOIN search_texts t ON t.document = d.id`;

interface SubjectRow {
  readonly type: 'country' | 'indicator' | 'instrument';
  readonly key: string;
  readonly names: readonly string[];
}

/**
 * The question as text search takes it, with `~` before each word for the stretch it is looked for in; '' finds
 * nothing.
 */
export async function changeQuery(read: Read, q: string): Promise<string> {
  const { asked } = questionOf(q);
  const [newest] = await read<{ revision: number }>(NEWEST);
  const forms = await findForms(read, asked, newest?.revision ?? 0);
  const any = queryOfAny(asked, formsAs(forms));
  const subjects = any === null ? [] : await read<SubjectRow>(SUBJECTS, [any]);
  const words = new Set(asked.flatMap(wordsOf));
  const marks = new Map([...words].map((word) => [word, marksOf(word, forms, subjects)]));
  const query = queryOfAll(asked, (word) => [
    word,
    ...(forms.get(word)?.keys() ?? []),
    ...(marks.get(word) ?? []),
  ]);
  return query ?? '';
}

function marksOf(word: string, forms: Forms, subjects: readonly SubjectRow[]): string[] {
  const found = forms.get(word);
  const named = (name: string): boolean =>
    found === undefined ? name.includes(word) : name.split(' ').some((part) => found.has(part));
  return subjects.filter(({ names }) => names.some(named)).map(({ type, key }) => mark(type, key));
}
