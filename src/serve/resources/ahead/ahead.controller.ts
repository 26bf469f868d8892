import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { AheadQuery, CalendarEvent, CalendarEventDetail, EventId, aheadResource } from './ahead.schema.js';
import { LocaleQuery } from '../parameters.schema.js';
import { AheadService } from './ahead.service.js';

@ResourceController(aheadResource)
export class AheadController {
  constructor(private readonly ahead: AheadService) {}

  @Get()
  @DescribeRoute({
    page: z.array(CalendarEvent),
    operation: 'listAhead',
    tools: ['release_calendar'],
    summary: 'Release calendar',
    description:
      'Releases and decisions from `from` to `to`, in chronological order, with the figures that were known on their day. Past events have the actual figure, future events the previous one; there are no forecasts. If the window is empty, `meta.nearest` has the nearest days with events.',
  })
  list(@Query({ schema: AheadQuery }) query: AheadQuery, @Context() context: RequestContext) {
    return this.ahead.list(query, context);
  }

  @Get(':id')
  @DescribeRoute({
    data: CalendarEventDetail,
    operation: 'getAhead',
    summary: 'One calendar event',
    description:
      'The event with its figures, and its earlier schedules if the publisher has postponed or cancelled it.',
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('id', { schema: EventId }) id: string,
    @Context() context: RequestContext,
  ) {
    return this.ahead.find(id, context);
  }
}
