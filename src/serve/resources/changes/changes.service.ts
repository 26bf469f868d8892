import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors, type CursorScope, type UnsignedPage } from '../../responses/cursors.service.js';
import type { Result, Total } from '../../responses/result.js';
import { readStatement, type Read } from '../../../store/snapshots.js';
import { ApiError, notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { numberOf } from '../../../domain/figures/figure.js';
import { dayOf } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { checkFilters, notStoredNotice } from '../closed-sets.rows.js';
import { changeQuery, legsOfPair, sentenceQuery } from '../search/change-query.rows.js';
import { readSentence, type SearchedSentence } from '../search/named-subjects.rows.js';
import { verbOfRateMove } from '../search/stop-words.rule.js';
import { searchTermsOf } from '../search/search-terms.rule.js';
import { optionalLowerBound, requireLimit, requireOrder, upperBound } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { ChangeDocuments } from './change-documents.service.js';
import {
  changeStatement,
  CORRECTIONS,
  changesStatement,
  isChange,
  positionsStatement,
  seriesStatement,
  type SeriesName,
  type ChangeFilter,
  type CorrectionRow,
  type PageRow,
} from './change.rows.js';
import { ORDERS, type ChangeOrder } from './change-orders.rows.js';
import { nearestDays } from './nearest-days.rule.js';
import { changeOf, valuesOf, type ListedChange } from './change.view.js';
import { changesResource, type Change, type ChangeDetail } from './change.schema.js';
import type { ChangesQuery } from './changes-query.schema.js';

export interface PageRequest {
  readonly scope: CursorScope;
  readonly order?: ChangeOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

@Injectable()
export class ChangesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly cursors: Cursors,
    private readonly documents: ChangeDocuments,
    private readonly texts: Texts,
  ) {}

  /** Newest publication first, or by importance. With `status: withdrawn` only ids and times. */
  list(query: ChangesQuery, context: RequestContext): Promise<Result<ListedChange[]>> {
    const { limit, cursor, order, q } = query;
    const checks = async (_: Read, faults: ParameterFaults) => {
      await faults.check(['limit', 'publishedSince'], () => requireLimit(query));
      await faults.check(['since', 'until'], () => requireOrder('since', query.since, 'until', query.until));
      return checkFilters(faults, query);
    };
    return this.reader.readChecked(changesResource, context, checks, async (read, cite, regions) => {
      const filter = await filterOf(read, query, regions);
      // Covers the meaning of the filters, so that another spelling fits too. The results of `q` depend on the data, so
      // the scope contains its words.
      const { words: _found, ...meant } = filter;
      const filters = {
        ...meant,
        q: q === undefined ? undefined : searchTermsOf(q).text,
        order: order === 'newest' ? undefined : order,
      };
      const scope = { route: 'changes', filters };
      const request = { scope, order, limit, cursor };
      const removed = await removedSince(read, 'changes', { since: filter.publishedFrom, cursor });
      // The last statement of most requests.
      const draft = { ...(await this.page(read, cite, filter, request, context)), ...removed };
      const isOfLegs = q !== undefined && legsOfPair(q) !== null;
      const ofLegs = isOfLegs ? [this.texts.say(context.locale, 'resources.changes_of_legs')] : [];
      if (draft.data.length > 0) return { ...draft, notices: ofLegs };
      const named = q === undefined ? null : await this.named(read, cite, { ...filter, q }, request, context);
      if (named !== null) return named;
      const { occurredFrom, occurredBefore } = filter;
      const isWindow = occurredFrom !== undefined || occurredBefore !== undefined;
      // Other statements followed that of the page.
      const empty = { ...draft, newest: undefined };
      if (cursor !== undefined) return empty;
      if (isWindow) return { ...empty, nearest: await nearestTo(read, filter) };
      return { ...empty, notices: await this.nothing(read, filter, { q, locale: context.locale }) };
    });
  }

  /** As `list`, for a transport that composes changes itself; without withdrawn ones. */
  async listValues(query: ChangesQuery, context: RequestContext): Promise<Result<Change[]>> {
    const result = await this.list(query, context);
    return { ...result, data: valuesOf(result.data) };
  }

  /** The newest changes of one series, newest publication first. */
  ofSeries(name: SeriesName, limit: number, context: RequestContext): Promise<Result<Change[]>> {
    return this.reader.read(changesResource, context, async (read, cite) => {
      const rows = await readStatement<PageRow>(read, seriesStatement(name, limit));
      const documents = await this.documentsOf(read, rows, context);
      const shown = rows.filter(isChange).flatMap(({ position }) => documents.get(position) ?? []);
      return { data: shown.map((document) => changeOf(document, cite).value), newest: rows[0]?.newest };
    });
  }

  /** Changes of what a sentence names, where none has all its words: a notice says which. null without any. */
  private async named(
    read: Read,
    cite: Citations,
    { q, ...filter }: ChangeFilter & { readonly q: string },
    request: PageRequest,
    context: RequestContext,
  ) {
    const sentence = await readSentence(read, q);
    const words = sentenceQuery(sentence);
    if (words === '') return null;
    const found = await this.page(read, cite, { ...filter, words }, request, context);
    if (found.data.length === 0) return null;
    if (sentence.understood && verbOfRateMove(q) === undefined) return found;
    const names = namesOf(sentence, context.locale);
    return { ...found, notices: [this.texts.say(context.locale, 'resources.not_all_words', { names })] };
  }

  /** Why a list without a window is empty; who asks for what is new needs no reason. */
  private async nothing(read: Read, filter: ChangeFilter, { q, locale }: { q: string | undefined; locale: Locale }) {
    const { kinds, publishedFrom, status, words = '', ...others } = filter;
    if (publishedFrom !== undefined || status === 'withdrawn') return [];
    const say = (key: string, args = {}) => [this.texts.say(locale, `resources.${key}`, args)];
    const notStored = await notStoredNotice(read, others.regions ?? [], this.texts, locale);
    if (notStored.length > 0) return notStored;
    if (q !== undefined && [kinds, ...Object.values(others)].every((one) => one === undefined)) {
      const { understood, years, revised, subjects } = await readSentence(read, q);
      // A word that is part of a name has a token of what is called so.
      if (subjects.length === 0 && !words.includes('=')) return say('no_change_of_words');
      const isNamed = subjects.length > 0 && understood && years.length === 0 && !revised;
      if (isNamed) return say('no_change_about', { names: namesOf({ subjects }, locale) });
    }
    if (kinds === undefined) return say('no_change_matches');
    const [row] = await readStatement<PageRow>(read, changesStatement({ kinds, status }, 0));
    const isStored = row !== undefined && isChange(row);
    return isStored ? say('no_change_matches') : say('no_changes_of_kind', { kinds: kinds.join(', ') });
  }

  /** @throws ApiError `not_found`, or `withdrawn` for a change that was published and then withdrawn */
  find(id: string, context: RequestContext): Promise<Result<ChangeDetail>> {
    return this.reader.read(changesResource, context, async (read, cite) => {
      const rows = await readStatement<PageRow>(read, changeStatement(id));
      const [row] = rows;
      if (row !== undefined && row.withdrawnAt !== null) throw new ApiError('withdrawn');
      const [document] = (await this.documentsOf(read, rows, context)).values();
      if (document === undefined) throw notFound('id', 'no_change', id);
      const change = changeOf(document, cite);
      const corrections = await read<CorrectionRow>(CORRECTIONS, [id]);
      return {
        data: {
          ...change.value,
          corrections: corrections.map(({ correctedAt, dataVersion, actual, previous }) => ({
            correctedAt: correctedAt.toISOString(),
            dataVersion,
            actual: numberOf(actual),
            previous: numberOf(previous),
          })),
        },
      };
    });
  }

  /** A page inside another resource's response, in the same snapshot. */
  async page(
    read: Read,
    cite: Citations,
    filter: ChangeFilter,
    { scope, order = 'newest', limit, cursor }: PageRequest,
    context: RequestContext,
  ): Promise<{ data: ListedChange[]; page: UnsignedPage; newest: number | undefined; total?: Total }> {
    const after = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
    const ordered = ORDERS[order];
    const { rows, total } = await ordered.page(read, { filter, after, limit });
    const { shown, page } = this.cursors.page(rows.filter(isChange), limit, scope, ordered.placeOf);
    const documents = await this.documentsOf(read, shown, context);
    return {
      newest: rows[0]?.newest,
      ...(total && { total }),
      data: shown.flatMap(({ id, position, withdrawnAt }) => {
        if (withdrawnAt !== null) {
          return { id, status: 'withdrawn' as const, withdrawnAt: withdrawnAt.toISOString() };
        }
        const document = documents.get(position);
        return document === undefined ? [] : changeOf(document, cite);
      }),
      page,
    };
  }

  /** Changes at positions that another resource has found, by position; withdrawn ones are missing. */
  async at(
    read: Read,
    cite: Citations,
    positions: readonly number[],
    context: RequestContext,
  ): Promise<ReadonlyMap<number, Change>> {
    const rows = await readStatement<PageRow>(read, positionsStatement(positions));
    const documents = await this.documentsOf(read, rows, context);
    return new Map([...documents].map(([position, document]) => [position, changeOf(document, cite).value]));
  }

  private documentsOf(read: Read, rows: readonly PageRow[], { locale }: RequestContext) {
    return this.documents.of(read, rows[0]?.newest ?? 0, rows.filter(isChange), locale);
  }
}

async function filterOf(
  read: Read,
  { q, coverage, topic, kind, minImportance, status, since, until, publishedSince }: ChangesQuery,
  regions: readonly string[] | undefined,
): Promise<ChangeFilter> {
  return {
    coverage,
    topic,
    kinds: kind,
    minImportance,
    status,
    occurredFrom: optionalLowerBound(since),
    occurredBefore: until === undefined ? undefined : upperBound(until),
    regions,
    words: q === undefined ? undefined : await changeQuery(read, q),
    publishedFrom: optionalLowerBound(publishedSince),
  };
}

const namesOf = ({ subjects }: Pick<SearchedSentence, 'subjects'>, locale: Locale): string =>
  [...new Set(subjects.map(({ title }) => title[locale]))].join(VOICES[locale].comma);

/** The nearest days outside the window of a filter that have changes of its other conditions. */
function nearestTo(read: Read, filter: ChangeFilter) {
  return nearestDays(
    async (occurredFrom, occurredBefore) => {
      const nearest = changesStatement({ ...filter, occurredFrom, occurredBefore }, 0);
      const [row] = await readStatement<PageRow>(read, nearest);
      return row === undefined || !isChange(row) ? null : dayOf(row.occurredAt);
    },
    filter.occurredFrom,
    filter.occurredBefore,
  );
}
