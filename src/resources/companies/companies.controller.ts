import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { CompaniesService } from './companies.service.js';
import {
  CompaniesQuery,
  Company,
  CompanyDetail,
  CompanyQuery,
  CompanySlug,
  companiesResource,
} from './company.schema.js';

@ResourceController(companiesResource)
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  @Get()
  @DescribeRoute({
    page: z.array(Company),
    operation: 'listCompanies',
    summary: 'Companies',
    description:
      'Active legal entities with an LEI or a CIK, by name without regard to case, accents and punctuation; with `q` those that it may mean, the likeliest first. Empty where nothing has all words of `q`.',
  })
  list(@Query({ schema: CompaniesQuery }) query: CompaniesQuery, @Context() context: RequestContext) {
    return this.companies.list(query, context);
  }

  @Get(':slug')
  @DescribeRoute({
    data: CompanyDetail,
    paged: true,
    operation: 'getCompany',
    tools: ['company'],
    summary: 'One company',
    description:
      'The company, its direct group relations and, as `changes`, a page of the changes that it is part of, newest publication first.',
  })
  find(
    @Query({ schema: CompanyQuery }) query: CompanyQuery,
    @Param('slug', { schema: CompanySlug }) slug: string,
    @Context() context: RequestContext,
  ) {
    return this.companies.find(slug, query, context);
  }
}
