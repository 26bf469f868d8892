import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { AheadQuery, CalendarEvent, CalendarEventDetail, EventId, OneEventQuery } from './ahead.schema.js';
import { AheadService } from './ahead.service.js';

@ApiTags('Calendar')
@Controller('ahead')
export class AheadController {
  constructor(private readonly ahead: AheadService) {}

  @Get()
  @Answers({
    page: z.array(CalendarEvent),
    operation: 'listAhead',
    summary: 'Release calendar',
    description:
      'Releases and decisions from `from` to `to`, in time order, with the figures that were known on their day. Past events have their actual figure, those to come the previous one; there are no forecasts. An empty window names the nearest days with events in `meta.nearest`.',
  })
  list(@Query({ schema: AheadQuery }) query: AheadQuery, @Call() call: CallContext) {
    return this.ahead.list(query, call);
  }

  @Get(':id')
  @Answers({
    data: CalendarEventDetail,
    operation: 'getAhead',
    summary: 'One calendar event',
    description: 'With what its publisher had scheduled before, where it was moved or called off.',
  })
  find(
    @Query({ schema: OneEventQuery }) _query: object,
    @Param('id', { schema: EventId }) id: string,
    @Call() call: CallContext,
  ) {
    return this.ahead.find(id, call);
  }
}
