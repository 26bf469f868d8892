import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import {
  CountedQuery,
  CoverageDomain,
  CoverageDomainDetail,
  CoverageKey,
  CoverageQuery,
  coverageResource,
} from './coverage.schema.js';
import { CoverageService } from './coverage.service.js';

@ResourceController(coverageResource)
export class CoverageController {
  constructor(private readonly coverage: CoverageService) {}

  @Get()
  @DescribeRoute({
    data: z.array(CoverageDomain),
    operation: 'listCoverage',
    summary: 'Coverage domains',
    description: 'All domains on one page, with the number of changes in each as of the newest data day.',
  })
  list(@Query({ schema: CountedQuery }) query: CountedQuery, @Context() context: RequestContext) {
    return this.coverage.list(query, context);
  }

  @Get(':key')
  @DescribeRoute({
    data: CoverageDomainDetail,
    paged: true,
    operation: 'getCoverageDomain',
    summary: "One coverage domain's changes",
    description: 'The domain and, in `changes`, a page of its changes, newest publication first.',
  })
  find(
    @Query({ schema: CoverageQuery }) query: CoverageQuery,
    @Param('key', { schema: CoverageKey }) key: string,
    @Context() context: RequestContext,
  ) {
    return this.coverage.find(key, query, context);
  }
}
