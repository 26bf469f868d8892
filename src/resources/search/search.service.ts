import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import { Cursors } from '../../answers/cursors.service.js';
import type { Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { Texts } from '../../locale/texts.service.js';
import { findForms } from './forms.js';
import { inOrder, readPlace, writePlace, type Ranked } from './place.js';
import { questionOf, type SearchQuestion } from './question.js';
import { scoreOf } from './score.js';
import { AS_OF, TEXTS, WITH_ALL, WITH_ANY, type CandidateRow, type ShownRow } from './search-rows.js';
import type { SearchQuery, SearchResult, SearchType } from './search.schema.js';
import { SearchView } from './search-view.js';
import { formsAs, queryOfAll, queryOfAny } from './word-query.js';

/** With so many that hold all that was asked, what holds a part of it is not looked for. */
const ENOUGH = 20;

interface Found extends Ranked {
  readonly document: number;
}

@Injectable()
export class SearchService {
  private readonly view: SearchView;

  constructor(
    private readonly archive: Archive,
    private readonly cursors: Cursors,
    addresses: Addresses,
    texts: Texts,
  ) {
    this.view = new SearchView(addresses, texts);
  }

  /** Ranked; the language decides what is shown and not what is found. */
  search({ q, type, limit, cursor }: SearchQuery, call: CallContext): Promise<Result<SearchResult[]>> {
    const question = { route: 'search', filters: { q, type } };
    return this.archive.answer('search', call, async (read, cite) => {
      const after = cursor === undefined ? null : readPlace(this.cursors.readText(question, cursor));
      const [held] = await read<{ revision: number }>(AS_OF, [after?.asOf ?? null]);
      const asOf = held?.revision ?? 0;
      const ranked = await rank(read, questionOf(q), type ?? null, asOf);
      const rest = after === null ? ranked : ranked.filter((one) => inOrder(after, one) < 0);
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      const texts = await read<ShownRow>(TEXTS, [page.map(({ document }) => document)]);
      const shown = new Map(texts.map((row) => [row.id, row]));
      const data = page.flatMap(({ document, type: of, id, score }) => {
        const row = shown.get(document);
        return row === undefined
          ? []
          : [this.view.show({ ...row, type: of as SearchType, key: id, score }, call.locale, cite)];
      });
      const more = rest.length > limit && last !== undefined;
      return {
        data,
        page: {
          limit,
          nextCursor: more ? this.cursors.write(question, writePlace({ ...last, asOf })) : null,
        },
      };
    });
  }
}

/** All that answers the question, in order. */
async function rank(
  read: Read,
  question: SearchQuestion,
  type: string | null,
  asOf: number,
): Promise<Found[]> {
  if (question.asked.length === 0) return [];
  const forms = await findForms(read, question.asked, asOf);
  const alternatives = formsAs(forms);
  const all = queryOfAll(question.asked, alternatives) ?? '';
  const whole = await read<CandidateRow>(WITH_ALL, [asOf, type, question.text, all]);
  const any = whole.length >= ENOUGH ? null : queryOfAny(question.asked, alternatives);
  const parts = any === null ? [] : await read<CandidateRow>(WITH_ANY, [asOf, type, any]);
  const found = new Map<number, Found>();
  for (const row of [...whole, ...parts]) {
    if (found.has(row.id)) continue;
    const score = scoreOf(question, forms, row);
    if (score !== null) found.set(row.id, { document: row.id, type: row.type, id: row.key, score });
  }
  return [...found.values()].sort(inOrder);
}
