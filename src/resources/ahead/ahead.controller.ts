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
      'Releases and decisions from `from` to `to`, in time order, with the figures that were known on their day. Past events have their actual figure, those to come the previous one; there are no forecasts. An empty window names the nearest days with events in `meta.nearest`.',
  })
  list(@Query({ schema: AheadQuery }) query: AheadQuery, @Context() context: RequestContext) {
    return this.ahead.list(query, context);
  }

  @Get(':id')
  @DescribeRoute({
    data: CalendarEventDetail,
    operation: 'getAhead',
    summary: 'One calendar event',
    description: 'With what its publisher had scheduled before, where it was moved or called off.',
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('id', { schema: EventId }) id: string,
    @Context() context: RequestContext,
  ) {
    return this.ahead.find(id, context);
  }
}
