import { Get, Param, Query } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Brief, BriefDate, briefsResource } from './brief.schema.js';
import { LocaleQuery } from '../parameters.schema.js';
import { BriefsService } from './briefs.service.js';

@ResourceController(briefsResource)
export class BriefsController {
  constructor(private readonly briefs: BriefsService) {}

  @Get('latest')
  @DescribeRoute({
    data: Brief,
    operation: 'getLatestBrief',
    tools: ['latest_brief'],
    summary: 'The latest brief',
    description: 'The brief of the newest day that has one, however old; its title names the day.',
  })
  findLatest(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.briefs.findLatest(context);
  }

  @Get(':date')
  @DescribeRoute({
    data: Brief,
    operation: 'getBrief',
    summary: 'The brief of one day',
    description:
      'What changed on one day by the clock of the data, by domain and importance, with what was known at the end of that day and nothing later. A day without changes has none: 404.',
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('date', { schema: BriefDate }) date: string,
    @Context() context: RequestContext,
  ) {
    return this.briefs.find(date, context);
  }
}
