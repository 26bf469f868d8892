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
      'Active legal entities with an LEI or a CIK, sorted by name without case, accents and punctuation. With `q`, the companies that match it, best match first. The list is empty if no company matches all words of `q`.',
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
      'The company, its direct group relations and, in `changes`, a page of its changes, newest publication first.',
  })
  find(
    @Query({ schema: CompanyQuery }) query: CompanyQuery,
    @Param('slug', { schema: CompanySlug }) slug: string,
    @Context() context: RequestContext,
  ) {
    return this.companies.find(slug, query, context);
  }
}
