import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors, type CursorScope } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import type { Read } from '../../../store/snapshots.js';
import { facetToken } from '../../../domain/search/index-partitions.js';
import { withTreasuryNamed } from '../../../domain/search/treasury-yield.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { readSentence, type SearchedSentence } from './named-subjects.rows.js';
import { findForms } from './forms.rows.js';
import { inOrder, readPosition, writePosition, type Ranked } from './search-position.rule.js';
import { searchTermsOf } from './search-terms.rule.js';
import { scoreOf } from './score.rule.js';
import { AS_OF, ONLY_ECONOMY, TEXTS, WITH_ALL, WITH_ANY, type CandidateRow, type ShownRow } from './search.rows.js';
import { searchResource, type SearchQuery, type SearchResult, type SearchType } from './search.schema.js';
import { SearchView } from './search.view.js';
import { formsAs, queryOfAll, queryOfAny, queryOfFacet } from './word-query.rule.js';

/** With this many full matches, partial ones are not searched. */
const ENOUGH = 20;

export interface Found extends Ranked {
  readonly document: number;
}

export interface SearchFilter {
  readonly q: string;
  readonly type?: SearchType | undefined;
  /** Of companies and entities: alpha-2 of the legal address. */
  readonly country?: string | undefined;
  /** Documents with all words or with the query as a name; if there are few, also documents with some of the words. */
  readonly whole: boolean;
}

export interface RankedPageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly scope: CursorScope;
}

@Injectable()
export class SearchService {
  private readonly view: SearchView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    urls: UrlBuilder,
    private readonly texts: Texts,
  ) {
    this.view = new SearchView(urls, texts);
  }

  /**
   * Ranked. The locale decides the texts, not the matches.
   * @param whole only what matches the whole query, and not some of its words
   */
  search(query: SearchQuery, context: RequestContext, whole = false): Promise<Result<SearchResult[]>> {
    const { q, type, limit, cursor } = query;
    return this.reader.read(searchResource, context, async (read, cite) => {
      const scope = { route: 'search', filters: { q: searchTermsOf(q).text, type } };
      const { shown, page } = await this.ranked(read, { q, type, whole }, { limit, cursor, scope });
      const texts = await read<ShownRow>(TEXTS, [shown.map(({ document }) => document)]);
      const rows = new Map(texts.map((row) => [row.id, row]));
      const data = shown.flatMap(({ document, type: of, id, score }) => {
        const row = rows.get(document);
        return row === undefined
          ? []
          : [this.view.show({ ...row, type: of as SearchType, key: id, score }, context.locale, cite)];
      });
      const notices =
        data.length === 0 && cursor === undefined ? [this.texts.say(context.locale, 'resources.nothing_found')] : [];
      return { data, page, notices };
    });
  }

  /** What a sentence says in the names of economies, indicators and instruments. */
  sentence(q: string, context: RequestContext): Promise<Result<SearchedSentence>> {
    return this.reader.read(searchResource, context, async (read) => ({ data: await readSentence(read, q) }));
  }

  /** The one economy with figures of an indicator; undefined if there are several or none. */
  async onlyEconomy(slug: string, context: RequestContext): Promise<string | undefined> {
    const { data } = await this.reader.read(searchResource, context, async (read) => ({
      data: await read<{ region: string }>(ONLY_ECONOMY, [slug]),
    }));
    return data[0]?.region;
  }

  /** A page of the matches, best first; paging keeps the ranking that it began with. */
  async ranked(read: Read, filter: SearchFilter, { limit, cursor, scope }: RankedPageRequest) {
    const after = cursor === undefined ? null : readPosition(this.cursors.readText(scope, cursor));
    const [held] = await read<{ dataVersion: number }>(AS_OF, [after?.asOf ?? null]);
    const asOf = held?.dataVersion ?? 0;
    const ranked = await rank(read, filter, asOf);
    const rest = after === null ? ranked : ranked.filter((one) => inOrder(after, one) < 0);
    return this.cursors.page(rest, limit, scope, (one) => writePosition({ ...one, asOf }));
  }
}

/** All that matches the terms, best first. */
async function rank(read: Read, { q, type, country, whole }: SearchFilter, asOf: number): Promise<Found[]> {
  const wanted = searchTermsOf(withTreasuryNamed(q));
  if (wanted.terms.length === 0) return [];
  const forms = await findForms(read, wanted.terms, asOf);
  const alternatives = formsAs(forms);
  const facet = country === undefined ? null : queryOfFacet(facetToken('country', country));
  const words = queryOfAll(wanted.terms, alternatives) ?? '';
  const all = facet === null || words === '' ? words : `${words} & ${facet}`;
  const rows = await read<CandidateRow>(WITH_ALL, [asOf, type ?? null, wanted.keys, all, facet]);
  const any = whole || rows.length >= ENOUGH ? null : queryOfAny(wanted.terms, alternatives);
  const parts = any === null ? [] : await read<CandidateRow>(WITH_ANY, [asOf, type ?? null, any]);
  const found = new Map<number, Found>();
  for (const row of [...rows, ...parts]) {
    if (found.has(row.id)) continue;
    const score = scoreOf(wanted, forms, row);
    if (score !== null) found.set(row.id, { document: row.id, type: row.type, id: row.key, score });
  }
  return [...found.values()].sort(inOrder);
}
