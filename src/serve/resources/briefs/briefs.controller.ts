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
    description: 'The brief of the newest day with changes, which may be in the past. Its title names the day.',
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
      'The changes that occurred on one day, by domain and importance, as known at the end of that day. A day without changes has no brief: 404.',
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('date', { schema: BriefDate }) date: string,
    @Context() context: RequestContext,
  ) {
    return this.briefs.find(date, context);
  }
}
