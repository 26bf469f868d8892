// The text query of `q` over changes. The index has a change's headline words and facet tokens of its subjects; the
// names of subjects are looked up here, so that changes need not repeat them.
import { facetToken, PARTITIONS_PER_TIER } from '../../../domain/search/index-partitions.js';
import type { Read } from '../../../store/snapshots.js';
import type { SearchedSentence } from './named-subjects.rows.js';
import { findForms, weightOfForm, type Forms } from './forms.rows.js';
import { searchTermsOf } from './search-terms.rule.js';
import { meansRevision } from './stop-words.rule.js';
import { formsAs, queryOfAll, queryOfAny, queryOfFacets, wordsOf } from './word-query.rule.js';

const REVISION = facetToken('kind', 'revision');

const NEWEST = 'SELECT coalesce(max(data_version), 0) AS "dataVersion" FROM publications';

/** Regions, indicators and instruments have the first partitions to themselves. */
export const SUBJECTS = `
  SELECT d.type, d.key, t.names
  FROM (SELECT partition FROM search_partitions WHERE partition < ${String(PARTITIONS_PER_TIER)} ORDER BY partition) s
    CROSS JOIN LATERAL (
      SELECT d.id, d.type, d.key FROM search_documents d
      WHERE d.words @@ replace($1, '~', s.partition::text)::tsquery AND d.until IS NULL OFFSET 0) d
    JOIN search_texts t ON t.document = d.id`;

interface SubjectRow {
  readonly type: 'country' | 'indicator' | 'instrument';
  readonly key: string;
  readonly names: readonly string[];
}

/** The tsquery, with `~` before each word as the placeholder of the partition; '' matches nothing. */
export async function changeQuery(read: Read, q: string): Promise<string> {
  const { terms } = searchTermsOf(q);
  const [newest] = await read<{ dataVersion: number }>(NEWEST);
  const forms = await findForms(read, terms, newest?.dataVersion ?? 0);
  const any = queryOfAny(terms, formsAs(forms));
  const subjects = any === null ? [] : await read<SubjectRow>(SUBJECTS, [any]);
  const words = new Set(terms.flatMap(wordsOf));
  const marks = new Map([...words].map((word) => [word, marksOf(word, forms, subjects)]));
  const query = queryOfAll(terms, (word) => [
    word,
    ...(forms.get(word)?.keys() ?? []),
    ...(marks.get(word) ?? []),
    ...(meansRevision(word) ? [REVISION] : []),
  ]);
  return query ?? '';
}

function marksOf(word: string, forms: Forms, subjects: readonly SubjectRow[]): string[] {
  const found = forms.get(word);
  const named = (name: string): boolean =>
    found === undefined ? name.includes(word) : name.split(' ').some((part) => weightOfForm(found, part) > 0);
  return subjects.filter(({ names }) => names.some(named)).map(({ type, key }) => facetToken(type, key));
}

/**
 * The tsquery of a sentence: changes of one of its economies, of one of its indicators or instruments, in one of its
 * years, and revisions if it asks for them. '' if it names nothing, or an economy alone beside words that neither name
 * nor ask: American Express.
 */
export function sentenceQuery({
  subjects,
  years,
  revised,
  understood,
  isQuestion,
}: SearchedSentence): string {
  const economies = subjects.filter(({ type }) => type === 'country');
  const measures = subjects.filter(({ type }) => type !== 'country');
  if (measures.length === 0 && (economies.length === 0 || !(understood || isQuestion))) return '';
  const facets = [economies, measures].map((some) => some.map(({ type, key }) => facetToken(type, key)));
  return queryOfFacets([...facets, years, revised ? [REVISION] : []]);
}
