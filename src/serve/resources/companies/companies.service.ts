import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import { Cursors } from '../../responses/cursors.service.js';
import type { Result } from '../../responses/result.js';
import { readStatement, type Read } from '../../../store/snapshots.js';
import { invalidParameter, notFound } from '../../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { similar } from '../../../domain/errors/nearest.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { valuesOf } from '../changes/change.view.js';
import { optionalLowerBound, requireLimit } from '../parameters.schema.js';
import { removedSince } from '../removals.rows.js';
import { ChangesService } from '../changes/changes.service.js';
import { resolveRegion } from '../closed-sets.rows.js';
import { KNOWN } from '../entities/structure.rows.js';
import { SearchService } from '../search/search.service.js';
import { searchTermsOf } from '../search/search-terms.rule.js';
import {
  COMPANIES_OF_SLUGS,
  companiesStatement,
  ONE_COMPANY,
  SLUGS_AROUND,
  RELATIONS,
  type CompanyRow,
  type EndRow,
  type RelatedCompanyRow,
} from './company.rows.js';
import {
  companiesResource,
  type CompaniesQuery,
  type Company,
  type CompanyDetail,
  type CompanyQuery,
} from './company.schema.js';

@Injectable()
export class CompaniesService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly changes: ChangesService,
    private readonly search: SearchService,
    private readonly cursors: Cursors,
    private readonly urls: UrlBuilder,
  ) {}

  /** Sorted by normalised name, then slug; with a query its matches, best first. */
  list(query: CompaniesQuery, context: RequestContext): Promise<Result<Company[]>> {
    const { q, limit, cursor, publishedSince } = query;
    const checks = async (_: Read, faults: ParameterFaults) => {
      await faults.check(['q', 'publishedSince'], () => requireNoWords(query));
      await faults.check(['limit', 'publishedSince'], () => requireLimit(query));
      const { country } = query;
      return country && faults.check(['country'], () => resolveRegion('country', country));
    };
    return this.reader.readChecked(companiesResource, context, checks, async (read, cite, country) => {
      const publishedFrom = optionalLowerBound(publishedSince);
      // Covers the meaning of the filters, so that another spelling fits too.
      const words = q === undefined ? undefined : searchTermsOf(q).text;
      const scope = { route: 'companies', filters: { country, words, publishedFrom } };
      if (q !== undefined) {
        const filter = { q, type: 'company', country, whole: true } as const;
        const { shown, page } = await this.search.ranked(read, filter, { limit, cursor, scope });
        const rows = await read<CompanyRow>(COMPANIES_OF_SLUGS, [shown.map(({ id }) => id)]);
        return { data: rows.map((row) => this.show(row, context.locale, cite)), page };
      }
      const after = cursor === undefined ? undefined : this.cursors.readText(scope, cursor);
      const statement = companiesStatement({ country, publishedFrom, after }, limit);
      const rows = await readStatement<CompanyRow>(read, statement);
      const { shown, page } = this.cursors.page(rows, limit, scope, (row) => row.slug);
      return {
        data: shown.map((row) => this.show(row, context.locale, cite)),
        page,
        ...(await removedSince(read, 'companies', { since: publishedFrom, cursor })),
      };
    });
  }

  /** One company with its parents, its direct subsidiaries and a page of its changes. @throws ApiError `not_found` */
  find(slug: string, query: CompanyQuery, context: RequestContext): Promise<Result<CompanyDetail>> {
    return this.reader.read(companiesResource, context, async (read, cite) => {
      const [row] = await read<CompanyRow>(ONE_COMPANY, [slug]);
      if (row === undefined) throw notFound('slug', 'no_company', slug, await nearestSlugs(read, slug));
      const relations = await read<RelatedCompanyRow>(RELATIONS, [row.entityId]);
      const [known] = await read<CompanyDetail['known']>(KNOWN, [row.entityId]);
      const filter = { entity: row.entityId, publishedFrom: optionalLowerBound(query.publishedSince) };
      const request = { ...query, scope: { route: 'company', filters: filter } };
      const { data, page } = await this.changes.page(read, cite, filter, request, context);
      return {
        data: {
          ...this.show(row, context.locale, cite),
          structureUrl: this.urls.of('entities', row.entityId, 'structure'),
          known: known ?? { given: 0, stated: null },
          relations: relations.map((relation) => ({
            relation: relation.relation,
            ...endOf(relation),
            country: relation.country,
            since: relation.since,
            source: cite.source(relation.source),
          })),
          changes: valuesOf(data),
        },
        page,
      };
    });
  }

  private show(row: CompanyRow, locale: Locale, cite: Citations): Company {
    const { slug, name, nameLanguage, lei, cik, country, entityId, tickers, parent } = row;
    const { subsidiaries, consolidated, changes } = row;
    cite.entity(row);
    const sources = [row.source, row.registrantSource, parent?.source ?? null].filter((id) => id !== null);
    return {
      slug,
      ...this.urls.links(locale, ['companies', slug]),
      records: recordsOf(row),
      name,
      nameLanguage,
      legalName: lei === null ? null : name,
      lei,
      tickers: [...tickers],
      cik,
      country,
      entityId,
      parent: parent === null ? null : endOf(parent),
      counts: { subsidiaries, consolidated, changes },
      sources: cite.sources([...new Set(sources)].sort()),
    };
  }
}

/** @throws ApiError `invalid_parameter` */
function requireNoWords({ q, publishedSince }: CompaniesQuery): void {
  if (q !== undefined && publishedSince !== undefined)
    throw invalidParameter({ parameter: 'q', reason: 'not_together', args: { other: 'publishedSince' } });
}

/** Where a person reads what the registers say. */
function recordsOf({ lei, cik }: Pick<CompanyRow, 'lei' | 'cik'>): string[] {
  return [
    ...(lei === null ? [] : [`https://search.gleif.org/#/record/${lei}`]),
    ...(cik === null ? [] : [`https://www.sec.gov/edgar/browse/?CIK=${String(cik)}`]),
  ];
}

async function nearestSlugs(read: Read, sent: string): Promise<string[]> {
  const around = await read<{ slug: string }>(SLUGS_AROUND, [sent]);
  return similar(
    sent,
    around.map(({ slug }) => slug),
  );
}

function endOf({ entityId, lei, name, slug }: EndRow): NonNullable<Company['parent']> {
  return { entityId, lei, name, slug, missing: name === null ? 'not_in_source' : null };
}
