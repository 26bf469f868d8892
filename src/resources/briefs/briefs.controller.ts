import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { Brief, BriefDate, BriefQuery } from './brief.schema.js';
import { BriefsService } from './briefs.service.js';

@ApiTags('Briefs')
@Controller('briefs')
export class BriefsController {
  constructor(private readonly briefs: BriefsService) {}

  @Get('latest')
  @Answers({
    data: Brief,
    operation: 'getLatestBrief',
    summary: 'The latest brief',
    description: 'The brief of the newest day that has one, however old; its title names the day.',
  })
  findLatest(@Query({ schema: BriefQuery }) _query: object, @Call() call: CallContext) {
    return this.briefs.findLatest(call);
  }

  @Get(':date')
  @Answers({
    data: Brief,
    operation: 'getBrief',
    summary: 'The brief of one day',
    description:
      'What changed on one day by the clock of the data, by domain and importance, with what was known at the end of that day and nothing later. A day without changes has none: 404.',
  })
  find(
    @Query({ schema: BriefQuery }) _query: object,
    @Param('date', { schema: BriefDate }) date: string,
    @Call() call: CallContext,
  ) {
    return this.briefs.find(date, call);
  }
}
