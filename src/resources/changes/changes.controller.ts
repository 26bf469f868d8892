import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { z } from 'zod';
import { Change, ChangeDetail, WithdrawnChange } from './change.schema.js';
import { ChangeId, ChangesQuery, OneChangeQuery } from './changes-query.schema.js';
import { ChangesService } from './changes.service.js';

@ApiTags('Changes')
@Controller('changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @Answers({
    page: z.array(z.union([Change, WithdrawnChange])),
    operation: 'listChanges',
    summary: 'Latest verified changes',
    description:
      'Newest publication first; the order never changes, so a walk over all pages misses and repeats nothing while imports go on. `since` and `until` filter by `occurredAt`, the data’s own clock.',
  })
  list(@Query({ schema: ChangesQuery }) query: ChangesQuery, @Call() call: CallContext) {
    return this.changes.list(query, call);
  }

  @Get(':id')
  @Answers({
    data: ChangeDetail,
    operation: 'getChange',
    summary: 'One change',
    description: 'With what it said before each correction. A withdrawn change answers 410.',
    errors: ['withdrawn'],
  })
  find(
    @Query({ schema: OneChangeQuery }) _query: object,
    @Param('id', { schema: ChangeId }) id: string,
    @Call() call: CallContext,
  ) {
    return this.changes.find(id, call);
  }
}
