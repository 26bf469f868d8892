import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import { Cursors, type Question } from '../../answers/cursors.service.js';
import type { Page, Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { ApiError } from '../../errors/api-error.js';
import { numberOf } from '../../figures/figure.js';
import { Texts } from '../../locale/texts.service.js';
import type { Citations } from '../../sources/citations.js';
import { requireMember, resolveRegion } from '../closed-sets.js';
import { changeQuery } from '../search/change-question.js';
import { lowerBound, requireOrder, upperBound } from '../parameters.schema.js';
import {
  oneStatement,
  pageStatement,
  positionsStatement,
  type ChangeFilter,
  type ChangeRow,
} from './change-rows.js';
import { ChangeView } from './change-view.js';
import type { Change, ChangeDetail, WithdrawnChange } from './change.schema.js';
import type { ChangesQuery } from './changes-query.schema.js';

interface CorrectionRow {
  readonly correctedAt: Date;
  readonly revision: number;
  readonly actual: string | null;
  readonly previous: string | null;
}

const CORRECTIONS = `
  SELECT corrected_at AS "correctedAt", revision_id AS revision, actual_value AS actual, previous_value AS previous
  FROM change_corrections WHERE change_id = $1 ORDER BY revision_id`;

export interface PageRequest {
  readonly question: Question;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

@Injectable()
export class ChangesService {
  private readonly view: ChangeView;

  constructor(
    private readonly archive: Archive,
    private readonly cursors: Cursors,
    addresses: Addresses,
    texts: Texts,
  ) {
    this.view = new ChangeView(addresses, texts);
  }

  /** Newest publication first. With `status: withdrawn` only ids and times. */
  list(query: ChangesQuery, call: CallContext): Promise<Result<(Change | WithdrawnChange)[]>> {
    const { limit, cursor, locale: _locale, ...filters } = query;
    return this.archive.answer('changes', call, async (read, cite) => {
      const filter = await this.filterOf(read, query);
      const question = { route: 'changes', filters };
      return this.page(read, cite, filter, { question, limit, cursor }, call);
    });
  }

  /** @throws ApiError `not_found`, or `withdrawn` for what was published and then withdrawn. */
  find(id: string, call: CallContext): Promise<Result<ChangeDetail>> {
    return this.archive.answer('changes', call, async (read, cite) => {
      const { sql, parameters } = oneStatement(id, call.locale);
      const [row] = await read<ChangeRow>(sql, parameters);
      if (row === undefined) throw new ApiError('not_found');
      if (row.status === 'withdrawn') throw new ApiError('withdrawn');
      const corrections = await read<CorrectionRow>(CORRECTIONS, [id]);
      return {
        data: {
          ...this.view.show(row, call.locale, cite),
          corrections: corrections.map(({ correctedAt, revision, actual, previous }) => ({
            correctedAt: correctedAt.toISOString(),
            revision,
            actual: numberOf(actual),
            previous: numberOf(previous),
          })),
        },
      };
    });
  }

  /** A page inside another resource's answer, in that answer's snapshot. */
  async page(
    read: Read,
    cite: Citations,
    filter: ChangeFilter,
    { question, limit, cursor }: PageRequest,
    { locale }: CallContext,
  ): Promise<{ data: (Change | WithdrawnChange)[]; page: Page }> {
    const below = cursor === undefined ? undefined : this.cursors.read(question, cursor);
    const { sql, parameters } = pageStatement({ ...filter, below }, limit, locale);
    const rows = await read<ChangeRow>(sql, parameters);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor =
      rows.length > limit && last !== undefined ? this.cursors.write(question, last.position) : null;
    return {
      data: shown.map((row) =>
        row.withdrawnAt === null
          ? this.view.show(row, locale, cite)
          : { id: row.id, withdrawnAt: row.withdrawnAt.toISOString() },
      ),
      page: { limit, nextCursor },
    };
  }

  /** Changes at positions that another resource has found, by position; what does not stand is not there. */
  async at(
    read: Read,
    cite: Citations,
    positions: readonly number[],
    { locale }: CallContext,
  ): Promise<ReadonlyMap<number, Change>> {
    const { sql, parameters } = positionsStatement(positions, locale);
    const rows = await read<ChangeRow>(sql, parameters);
    return new Map(rows.map((row) => [row.position, this.view.show(row, locale, cite)]));
  }

  private async filterOf(read: Read, query: ChangesQuery): Promise<ChangeFilter> {
    const { q, coverage, topic, country, kind, status, since, until, publishedSince } = query;
    requireOrder('since', since, 'until', until);
    await requireMember(read, 'coverage', coverage);
    await requireMember(read, 'topic', topic);
    return {
      coverage,
      topic,
      kind,
      status,
      occurredFrom: since === undefined ? undefined : lowerBound(since),
      occurredBefore: until === undefined ? undefined : upperBound(until),
      region: country === undefined ? undefined : await resolveRegion(read, 'country', country),
      words: q === undefined ? undefined : await changeQuery(read, q),
      publishedFrom: publishedSince === undefined ? undefined : lowerBound(publishedSince),
    };
  }
}
