import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import { notFound } from '../../../domain/errors/api-error.js';
import { nearestMembers } from '../closed-sets.rows.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { WithChanges } from '../changes/change.view.js';
import { dayOf } from '../../../domain/figures/periods.js';
import { optionalLowerBound } from '../parameters.schema.js';
import { publishedFrom } from '../removals.rows.js';
import { ChangesService } from '../changes/changes.service.js';
import {
  coverageResource,
  type CountedQuery,
  type CoverageDomain,
  type CoverageDomainDetail,
  type CoverageQuery,
} from './coverage.schema.js';
import type { CoverageDomainEntity } from './coverage.entity.js';

type DomainRow = Omit<CoverageDomainEntity, 'ordinal' | 'dataVersion'>;

const DOMAINS = `
  SELECT key, name, description, changes_7 AS days7, changes_30 AS days30, changes_total AS total,
         latest_change_at AS "latestChangeAt"
  FROM coverage_domains`;

@Injectable()
export class CoverageService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    private readonly urls: UrlBuilder,
  ) {}

  /** All domains, in the catalogue's order. */
  list({ publishedSince }: CountedQuery, context: RequestContext): Promise<Result<CoverageDomain[]>> {
    return this.reader.read(coverageResource, context, async (read) => {
      const since = optionalLowerBound(publishedSince);
      const rows = await (since === undefined
        ? read<DomainRow>(`${DOMAINS} ORDER BY ordinal`)
        : read<DomainRow>(`${DOMAINS} WHERE ${publishedFrom('data_version', '$1')} ORDER BY ordinal`, [
            since,
          ]));
      return { data: rows.map((row) => this.show(row, context.locale)) };
    });
  }

  /** One domain with a page of its changes. @throws ApiError `not_found` */
  find(
    key: string,
    query: CoverageQuery,
    context: RequestContext,
  ): Promise<Result<WithChanges<CoverageDomainDetail>>> {
    return this.reader.read(coverageResource, context, async (read, cite) => {
      const [row] = await read<DomainRow>(`${DOMAINS} WHERE key = $1`, [key]);
      if (row === undefined)
        throw notFound('key', 'no_coverage', key, await nearestMembers(read, 'coverage', key));
      const filter = { coverage: key, publishedFrom: optionalLowerBound(query.publishedSince) };
      const request = { ...query, scope: { route: 'coverage', filters: filter } };
      const { data, page } = await this.changes.page(read, cite, filter, request, context);
      return { data: { ...this.show(row, context.locale), changes: data }, page };
    });
  }

  private show(row: DomainRow, locale: Locale): CoverageDomain {
    const { key, name, description, days7, days30, total, latestChangeAt } = row;
    return {
      key,
      url: this.urls.of('coverage', key),
      name: name[locale],
      description: description[locale],
      counts: { days7, days30, total },
      latestChangeAt: latestChangeAt === null ? null : dayOf(latestChangeAt),
    };
  }
}
