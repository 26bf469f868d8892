import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { CompaniesService } from './companies.service.js';
import { CompaniesQuery, Company, CompanyDetail, CompanyQuery, CompanySlug } from './company.schema.js';

@ApiTags('Companies')
@Controller('companies')
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  @Get()
  @Answers({
    page: z.array(Company),
    operation: 'listCompanies',
    summary: 'Companies',
    description:
      'Active legal entities with an LEI or a CIK, by name without regard to case, accents and punctuation. Empty where no name has all words of `q`.',
  })
  list(@Query({ schema: CompaniesQuery }) query: CompaniesQuery, @Call() call: CallContext) {
    return this.companies.list(query, call);
  }

  @Get(':slug')
  @Answers({
    data: CompanyDetail,
    paged: true,
    operation: 'getCompany',
    summary: 'One company',
    description:
      'The company, its direct group relations and, as `changes`, a page of the changes that it is part of, newest publication first.',
  })
  find(
    @Query({ schema: CompanyQuery }) query: CompanyQuery,
    @Param('slug', { schema: CompanySlug }) slug: string,
    @Call() call: CallContext,
  ) {
    return this.companies.find(slug, query, call);
  }
}
