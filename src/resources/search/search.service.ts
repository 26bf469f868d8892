import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import type { Read } from '../../database/snapshots.js';
import { Texts } from '../../locale/texts.service.js';
import { findForms } from './forms.rows.js';
import { inOrder, readPosition, writePosition, type Ranked } from './search-position.rule.js';
import { searchTermsOf, type SearchTerms } from './search-terms.rule.js';
import { scoreOf } from './score.rule.js';
import { AS_OF, TEXTS, WITH_ALL, WITH_ANY, type CandidateRow, type ShownRow } from './search.rows.js';
import { searchResource, type SearchQuery, type SearchResult, type SearchType } from './search.schema.js';
import { SearchView } from './search.view.js';
import { formsAs, queryOfAll, queryOfAny } from './word-query.rule.js';

/** With this many full matches, partial ones are not searched. */
const ENOUGH = 20;

interface Found extends Ranked {
  readonly document: number;
}

@Injectable()
export class SearchService {
  private readonly view: SearchView;

  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    urls: UrlBuilder,
    texts: Texts,
  ) {
    this.view = new SearchView(urls, texts);
  }

  /** Ranked. The locale decides the texts, not the matches. */
  search({ q, type, limit, cursor }: SearchQuery, context: RequestContext): Promise<Result<SearchResult[]>> {
    const wanted = searchTermsOf(q);
    const scope = { route: 'search', filters: { q: wanted.text, type } };
    return this.reader.read(searchResource, context, async (read, cite) => {
      const after = cursor === undefined ? null : readPosition(this.cursors.readText(scope, cursor));
      const [held] = await read<{ dataVersion: number }>(AS_OF, [after?.asOf ?? null]);
      const asOf = held?.dataVersion ?? 0;
      const ranked = await rank(read, wanted, type ?? null, asOf);
      const rest = after === null ? ranked : ranked.filter((one) => inOrder(after, one) < 0);
      const { shown, page } = this.cursors.page(rest, limit, scope, (one) => writePosition({ ...one, asOf }));
      const texts = await read<ShownRow>(TEXTS, [shown.map(({ document }) => document)]);
      const rows = new Map(texts.map((row) => [row.id, row]));
      const data = shown.flatMap(({ document, type: of, id, score }) => {
        const row = rows.get(document);
        return row === undefined
          ? []
          : [this.view.show({ ...row, type: of as SearchType, key: id, score }, context.locale, cite)];
      });
      return { data, page };
    });
  }
}

/** All that matches the terms, best first. */
async function rank(read: Read, wanted: SearchTerms, type: string | null, asOf: number): Promise<Found[]> {
  if (wanted.terms.length === 0) return [];
  const forms = await findForms(read, wanted.terms, asOf);
  const alternatives = formsAs(forms);
  const all = queryOfAll(wanted.terms, alternatives) ?? '';
  const whole = await read<CandidateRow>(WITH_ALL, [asOf, type, wanted.text, all]);
  const any = whole.length >= ENOUGH ? null : queryOfAny(wanted.terms, alternatives);
  const parts = any === null ? [] : await read<CandidateRow>(WITH_ANY, [asOf, type, any]);
  const found = new Map<number, Found>();
  for (const row of [...whole, ...parts]) {
    if (found.has(row.id)) continue;
    const score = scoreOf(wanted, forms, row);
    if (score !== null) found.set(row.id, { document: row.id, type: row.type, id: row.key, score });
  }
  return [...found.values()].sort(inOrder);
}
