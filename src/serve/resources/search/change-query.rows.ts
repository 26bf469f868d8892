// The text query of `q` over changes. The index has a change's headline words and facet tokens of its subjects; the
// names of subjects and topics are looked up here, so that changes need not repeat them.
import { normalizeText } from '../../../domain/search/normalize.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { facetToken, PARTITIONS_PER_TIER } from '../../../domain/search/index-partitions.js';
import type { Read } from '../../../store/snapshots.js';
import type { SearchedSentence } from './named-subjects.rows.js';
import { currencyPair } from './currency-pair.rule.js';
import { SHORT_NAMES } from './named-places.rows.js';
import { findForms, weightOfForm, type Forms } from './forms.rows.js';
import { searchTermsOf } from './search-terms.rule.js';
import { meansRevision, verbOfRateMove } from './stop-words.rule.js';
import { formsAs, queryOfAll, queryOfAny, queryOfFacet, queryOfFacets, wordsOf } from './word-query.rule.js';

const REVISION = facetToken('kind', 'revision');

/** Names of measures that stand in the names of others: GDP is not “revenue, % of GDP”, nor gold reserves “with gold”. */
const OF_UNITS: ReadonlySet<string> = new Set(['gdp', 'gold', '黄金']);

/** With the names of all topics. */
const NEWEST = `
  SELECT (SELECT coalesce(max(data_version), 0) FROM publications)::int AS "dataVersion",
         (SELECT jsonb_agg(jsonb_build_object('key', slug, 'name', name)) FROM topics) AS topics`;

/** Regions, indicators and instruments have the first partitions to themselves. */
export const SUBJECTS = `
  SELECT d.type, d.key, t.names
  FROM (SELECT partition FROM search_partitions WHERE partition < ${String(PARTITIONS_PER_TIER)} ORDER BY partition) s
    CROSS JOIN LATERAL (
      SELECT d.id, d.type, d.key FROM search_documents d
      WHERE d.words @@ replace($1, '~', s.partition::text)::tsquery AND d.until IS NULL OFFSET 0) d
    JOIN search_texts t ON t.document = d.id`;

interface NewestRow {
  readonly dataVersion: number;
  /** Null without any. */
  readonly topics: readonly { readonly key: string; readonly name: Localized }[] | null;
}

interface SubjectRow {
  readonly type: 'country' | 'indicator' | 'instrument';
  readonly key: string;
  readonly names: readonly string[];
}

/** The rates against the euro that a pair is computed from, which itself has no changes; null of other queries. */
export function legsOfPair(q: string): readonly string[] | null {
  const pair = currencyPair(q);
  return pair === null || pair.includes('EUR') ? null : pair.map((code) => `eur${code.toLowerCase()}`);
}

/** The tsquery, with `~` before each word as the placeholder of the partition; '' matches nothing. */
export async function changeQuery(read: Read, q: string): Promise<string> {
  const legs = legsOfPair(q);
  if (legs !== null) return queryOfFacets([legs.map((key) => facetToken('instrument', key))]);
  const { terms, text } = searchTermsOf(q);
  const [newest] = await read<NewestRow>(NEWEST);
  const { dataVersion, topics } = newest ?? { dataVersion: 0, topics: null };
  const forms = await findForms(read, terms, dataVersion);
  const any = queryOfAny(terms, formsAs(forms));
  const subjects = any === null ? [] : await read<SubjectRow>(SUBJECTS, [any]);
  const marks = new Map<string, readonly string[]>();
  const whole = subjects.filter(({ names }) => names.includes(text));
  for (const term of terms) {
    const topic = topics?.find(({ name }) =>
      [...Object.values(name), ...(SHORT_NAMES.get(name.en) ?? [])].some((one) => normalizeText(one) === term.text),
    );
    const own = topic === undefined ? [] : [facetToken('topic', topic.key)];
    // What a subject is called is meant, and not what begins like it: the Fed is no federal republic.
    const called = whole.length > 0 ? whole : subjects.filter(({ names }) => names.includes(term.text));
    for (const word of wordsOf(term)) {
      const alike = called.length > 0 ? called : subjects.filter((one) => isNamed(one, word, forms));
      const others = called.length > 0 ? [] : (forms.get(word)?.keys() ?? []);
      const itself = called.length > 0 && OF_UNITS.has(word) ? [] : [word];
      marks.set(word, [...itself, ...others, ...own, ...alike.map(({ type, key }) => facetToken(type, key))]);
    }
  }
  const query = queryOfAll(terms, (word) => [
    ...(marks.get(word) ?? [word]),
    ...(meansRevision(word) ? [REVISION] : []),
  ]);
  // A policy rate is known by the names of its moves, but a change of it is a move one way.
  const verb = verbOfRateMove(q);
  return query === null || verb === undefined ? (query ?? '') : `${query} & ${queryOfFacet(verb)}`;
}

function isNamed({ names }: SubjectRow, word: string, forms: Forms): boolean {
  const found = forms.get(word);
  return names.some((name) =>
    found === undefined ? name.includes(word) : name.split(' ').some((part) => weightOfForm(found, part) > 0),
  );
}

/**
 * The tsquery of a sentence: changes of one of its economies, of one of its indicators or instruments, in one of its
 * years, and revisions if it asks for them. '' if it names nothing, or an economy alone beside words that neither name
 * nor ask: American Express.
 */
export function sentenceQuery({ subjects, years, revised, understood, isQuestion }: SearchedSentence): string {
  const economies = subjects.filter(({ type }) => type === 'country');
  const measures = subjects.filter(({ type }) => type !== 'country');
  if (measures.length === 0 && (economies.length === 0 || !(understood || isQuestion))) return '';
  const facets = [economies, measures].map((some) => some.map(({ type, key }) => facetToken(type, key)));
  return queryOfFacets([...facets, years, revised ? [REVISION] : []]);
}
