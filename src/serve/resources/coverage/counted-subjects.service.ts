import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Resource } from '../../responses/resource.js';
import type { Result } from '../../responses/result.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { nearest } from '../../../domain/errors/nearest.js';
import { CLASSES } from '../../../domain/catalogue/closed-sets.js';
import { notFound, type NotFoundReason } from '../../../domain/errors/api-error.js';
import { dayOf } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Read } from '../../../store/snapshots.js';
import type { ListedChange } from '../changes/change.view.js';
import { ChangesService } from '../changes/changes.service.js';
import { optionalLowerBound } from '../parameters.schema.js';
import { publishedFrom } from '../removals.rows.js';
import type { CountedEntity } from './coverage.entity.js';
import type { CountedQuery, CoverageQuery } from './coverage.schema.js';

export type SubjectRow = Omit<CountedEntity, 'ordinal' | 'dataVersion'>;

/** The columns of every counted subject `s`. */
export const COUNTED = `s.name, s.description, s.changes_7 AS days7, s.changes_30 AS days30,
         s.changes_total AS total, s.latest_change_at AS "latestChangeAt"`;

export interface CountedSet {
  readonly resource: Resource;
  /** The set, which is also the filter of changes. */
  readonly filter: 'coverage' | 'topic';
  /** What identifies a subject: a column, and the segment of its path. */
  readonly id: 'key' | 'slug';
  readonly reason: NotFoundReason;
  /** Selects all as `s`. */
  readonly select: string;
}

/** Subjects whose changes the publishing transaction counts: coverage domains and topics. */
@Injectable()
export abstract class CountedSubjects<Row extends SubjectRow, View> {
  protected abstract readonly set: CountedSet;

  constructor(
    protected readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    private readonly urls: UrlBuilder,
  ) {}

  /** All, in the catalogue's order. */
  list({ publishedSince }: CountedQuery, context: RequestContext): Promise<Result<View[]>> {
    const { resource, select } = this.set;
    return this.reader.read(resource, context, async (read) => {
      const since = optionalLowerBound(publishedSince);
      const changed = since === undefined ? '' : `WHERE ${publishedFrom('s.data_version', '$1')}`;
      const rows = await read<Row>(`${select} ${changed} ORDER BY s.ordinal`, since && [since]);
      return { data: rows.map((row) => this.show(row, context.locale)) };
    });
  }

  /** One with a page of its changes. @throws ApiError `not_found` */
  find(
    id: string,
    query: CoverageQuery,
    context: RequestContext,
  ): Promise<Result<View & { readonly changes: readonly ListedChange[] }>> {
    const { resource, filter: name, select, id: column, reason } = this.set;
    return this.reader.read(resource, context, async (read, cite) => {
      const [row] = await read<Row>(`${select} WHERE s.${column} = $1`, [id]);
      if (row === undefined) throw notFound(column, reason, id, nearest(id, CLASSES[name]));
      const filter = { [name]: id, publishedFrom: optionalLowerBound(query.publishedSince) };
      const request = { ...query, scope: { route: resource.path, filters: filter } };
      const { data, page } = await this.changes.page(read, cite, filter, request, context);
      const also = await this.also(read, id, context.locale);
      return { data: { ...this.show(row, context.locale), ...also, changes: data }, page };
    });
  }

  protected abstract show(row: Row, locale: Locale): View;

  /** Further members of one subject. */
  protected also(_read: Read, _id: string, _locale: Locale): Promise<object> {
    return Promise.resolve({});
  }

  protected described({ name, description }: SubjectRow, id: string, locale: Locale) {
    return { url: this.urls.of(this.set.resource.path, id), name: name[locale], description: description[locale] };
  }

  protected counted({ days7, days30, total, latestChangeAt }: SubjectRow) {
    return { counts: { days7, days30, total }, latestChangeAt: latestChangeAt === null ? null : dayOf(latestChangeAt) };
  }
}
