import { Get, Param, Query } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { z } from 'zod';
import { Change, ChangeDetail, WithdrawnChange, changesResource } from './change.schema.js';
import { ChangeId, ChangesQuery } from './changes-query.schema.js';
import { LocaleQuery } from '../parameters.schema.js';
import { ChangesService } from './changes.service.js';

@ResourceController(changesResource)
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get()
  @DescribeRoute({
    page: z.array(z.discriminatedUnion('status', [Change, WithdrawnChange])),
    operation: 'listChanges',
    tools: ['latest_changes'],
    summary: 'Latest verified changes',
    description:
      'Newest publication first, or by importance. The first order is stable: paging through the list neither omits nor repeats a change, even during imports. `since` and `until` filter by `occurredAt`, the time that the source states.',
  })
  list(@Query({ schema: ChangesQuery }) query: ChangesQuery, @Context() context: RequestContext) {
    return this.changes.list(query, context);
  }

  @Get(':id')
  @DescribeRoute({
    data: ChangeDetail,
    operation: 'getChange',
    tools: ['get_change'],
    summary: 'One change',
    description: 'The change with its figures before each correction. A withdrawn change returns 410.',
    errors: ['withdrawn'],
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('id', { schema: ChangeId }) id: string,
    @Context() context: RequestContext,
  ) {
    return this.changes.find(id, context);
  }
}
