import { Controller, Get, Param, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { formatCountry, formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { CompanySlug, type CompanyDetail } from '../../serve/resources/companies/company.schema.js';
import { CompaniesService } from '../../serve/resources/companies/companies.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PublicPages } from './public-pages.service.js';
import { datasetOf, sourcesView } from './source.view.js';

/** The API has up to 500 subsidiaries, and all changes. */
const SHOWN = { subsidiaries: 25, changes: 10 };

type Relation = CompanyDetail['relations'][number];

@SitePage()
@Controller('companies')
export class CompanyPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly companies: CompaniesService,
  ) {}

  @Get(':slug')
  show(@Req() request: ApiRequest, @Param('slug', { schema: CompanySlug }) slug: string) {
    return this.pages.page(request, `company ${slug}`, async (context) => {
      const { locale } = context;
      const result = await this.companies.find(slug, { locale, limit: SHOWN.changes }, context);
      const { data } = result;
      const { name, url, known, relations, changes } = data;
      const description = factsOf(data, locale).join(' · ');
      return {
        view: 'company',
        model: {
          title: name,
          path: `/companies/${slug}`,
          description,
          listed: true,
          jsonLd: { ...datasetOf({ name, description, url, result }, locale), about: organizationOf(data) },
          company: data,
          country: data.country === null ? null : formatCountry(locale, data.country),
          registers: data.records.map((address) => ({ address, host: new URL(address).hostname })),
          known,
          relations: relationsView(relations, locale),
          shown: known.given > SHOWN.subsidiaries ? SHOWN.subsidiaries : null,
          changes: changes.map(({ id, headline, occurredAt }) => ({
            path: `/changes/${id}`,
            headline,
            day: formatDay(locale, occurredAt.slice(0, 10)),
          })),
          ...sourcesView([result], locale),
          api: url,
        },
      };
    });
  }
}

function factsOf({ name, country, tickers, lei, cik }: CompanyDetail, locale: Locale): string[] {
  return [
    name,
    ...(country === null ? [] : [formatCountry(locale, country)]),
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

/** By role: both kinds of parents, then the first subsidiaries by name. */
function relationsView(relations: readonly Relation[], locale: Locale) {
  return (['parent', 'ultimate_parent', 'subsidiary'] as const).map((role) => ({
    role,
    companies: relations
      .filter(({ relation }) => relation === role)
      .slice(0, SHOWN.subsidiaries)
      .map(({ name, lei, slug, country, since }) => ({
        name,
        lei,
        path: slug === null ? null : `/companies/${slug}`,
        country: country === null ? null : formatCountry(locale, country),
        since: since === null ? null : formatDay(locale, since),
      })),
  }));
}
