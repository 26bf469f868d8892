import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { z } from 'zod';
import { Texts } from '../../domain/locale/texts.service.js';
import { searchText } from '../../serve/resources/parameters.schema.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import type { Locale } from '../../domain/locale/locale.js';
import { CompanySlug, type CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { CompaniesService } from '../../serve/resources/companies/companies.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import type { FileTable } from '../views/table-file.js';
import { PublicPages } from './public-pages.service.js';

/** The API has up to 500 subsidiaries, and all changes. */
/** A page with more subsidiaries than `most` names the first; its file has all of them. */
const SHOWN = { subsidiaries: 25, most: 300, changes: 10, companies: 50 };
const ListQuery = z.looseObject({
  q: searchText.optional().catch(undefined),
  cursor: z.string().max(500).optional().catch(undefined),
});

type Relation = CompanyDetail['relations'][number];

@SitePage()
@Controller('companies')
export class CompanyPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly companies: CompaniesService,
    private readonly texts: Texts,
    private readonly urls: UrlBuilder,
  ) {}

  @Get()
  list(@Req() request: ApiRequest, @Query({ schema: ListQuery }) { q, cursor }: z.infer<typeof ListQuery>) {
    return this.pages.page(request, `companies ${q ?? ''} ${cursor ?? ''}`, async (context) => {
      const { locale } = context;
      const query = { locale, limit: SHOWN.companies, q, cursor };
      const result = await this.companies.list(query, context);
      const next = result.page?.nextCursor ?? null;
      const search = new URLSearchParams({ ...(q !== undefined && { q }), ...(next !== null && { cursor: next }) });
      return {
        view: 'companies',
        results: [result],
        model: {
          title: this.texts.say(locale, 'site.companies.title'),
          path: q === undefined ? '/companies' : `/companies?q=${encodeURIComponent(q)}`,
          listed: q === undefined && cursor === undefined,
          description: this.texts.say(locale, 'site.companies.lead'),
          q: q ?? '',
          companies: result.data,
          next: next === null ? null : `/companies?${search.toString()}`,
          api: this.urls.of('companies'),
        },
      };
    });
  }

  @Get(':slug')
  show(@Req() request: ApiRequest, @Param('slug', { schema: CompanySlug }) slug: string) {
    return this.pages.page(request, `company ${slug}`, async (context) => {
      const { locale } = context;
      const result = await this.companies.find(slug, { locale, limit: SHOWN.changes }, context);
      const { data } = result;
      const { name, url, known, relations } = data;
      const description = factsOf(data, locale).join(' · ');
      return {
        view: 'company',
        results: [result],
        coverage: '',
        ...(relations.length > 0 && { table: fileOf(slug, relations) }),
        model: {
          title: name,
          path: `/companies/${slug}`,
          description,
          crumbs: [
            { path: '/companies', name: this.texts.say(locale, 'site.companies.title') },
            ...(data.country === null
              ? []
              : [{ path: `/countries/${data.country}`, name: regionName(locale, data.country) }]),
          ],
          about: organizationOf(data),
          company: data,
          registers: data.records.map((address) => ({ address, host: new URL(address).hostname })),
          known,
          relations: relationsView(relations),
          api: url,
        },
      };
    });
  }
}

function factsOf({ name, country, tickers, lei, cik }: CompanyDetail, locale: Locale): string[] {
  return [
    name,
    ...(country === null ? [] : [regionName(locale, country)]),
    ...tickers,
    ...(lei === null ? [] : [`LEI ${lei}`]),
    ...(cik === null ? [] : [`CIK ${cik}`]),
  ];
}

/** An `Organization` of schema.org. */
function organizationOf({ name, legalName, lei, records }: CompanyDetail) {
  return {
    '@type': 'Organization',
    name,
    ...(legalName !== null && { legalName }),
    ...(lei !== null && { leiCode: lei }),
    sameAs: records,
  };
}

const fileOf = (slug: string, relations: readonly Relation[]): FileTable => ({
  name: slug,
  columns: ['relation', 'name', 'lei', 'country', 'since'],
  rows: relations.map(({ relation, name, lei, country, since, source }) => [
    relation,
    name,
    lei,
    country,
    since,
    source,
  ]),
});

/** By role: both kinds of parents, then subsidiaries by name, of which the page first shows some. */
const relationsView = (relations: readonly Relation[]) =>
  (['parent', 'ultimate_parent', 'subsidiary'] as const).map((role) => {
    const companies = relations.filter(({ relation }) => relation === role);
    return {
      role,
      companies: companies.slice(0, SHOWN.subsidiaries),
      others: companies.slice(SHOWN.subsidiaries, SHOWN.most),
    };
  });
