import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import {
  CoverageDomain,
  CoverageDomainDetail,
  CoverageKey,
  CoverageListQuery,
  CoverageQuery,
} from './coverage.schema.js';
import { CoverageService } from './coverage.service.js';

@ApiTags('Coverage')
@Controller('coverage')
export class CoverageController {
  constructor(private readonly coverage: CoverageService) {}

  @Get()
  @Answers({
    data: z.array(CoverageDomain),
    operation: 'listCoverage',
    summary: 'Coverage domains',
    description: 'All domains, whole, with how much changed in each as of the newest data day.',
  })
  list(@Query({ schema: CoverageListQuery }) _query: object, @Call() call: CallContext) {
    return this.coverage.list(call);
  }

  @Get(':key')
  @Answers({
    data: CoverageDomainDetail,
    paged: true,
    operation: 'getCoverageDomain',
    summary: "One coverage domain's changes",
    description: 'The domain and, as `changes`, a page of its changes, newest publication first.',
  })
  find(
    @Query({ schema: CoverageQuery }) query: CoverageQuery,
    @Param('key', { schema: CoverageKey }) key: string,
    @Call() call: CallContext,
  ) {
    return this.coverage.find(key, query, call);
  }
}
