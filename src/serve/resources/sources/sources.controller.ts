import { Get, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { LocaleQuery } from '../parameters.schema.js';
import { SourceItem, sourcesResource } from './source.schema.js';
import { SourcesService } from './sources.service.js';

@ResourceController(sourcesResource)
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get()
  @DescribeRoute({
    data: z.array(SourceItem),
    operation: 'listSources',
    summary: 'Sources',
    description:
      'Every source whose figures may be served, by id, with its indicators and instruments; `meta.sources` has licence and attribution of each. A source without series is one that another source cites.',
  })
  list(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.sources.list(context);
  }
}
