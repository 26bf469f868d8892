import { Get, Param, Query } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Signal, SignalId, signalsResource } from './signal.schema.js';
import { LocaleQuery } from '../parameters.schema.js';
import { SignalsService } from './signals.service.js';

@ResourceController(signalsResource)
export class SignalsController {
  constructor(private readonly signals: SignalsService) {}

  @Get(':id')
  @DescribeRoute({
    data: Signal,
    operation: 'getSignal',
    summary: 'One signal',
    description:
      'A pattern that a named rule finds in several changes, with the newest of these changes. Search, topics and changes link to signals. If newer figures show that the pattern never held, the signal disappears and the response is 404.',
  })
  find(
    @Query({ schema: LocaleQuery }) _query: object,
    @Param('id', { schema: SignalId }) id: string,
    @Context() context: RequestContext,
  ) {
    return this.signals.find(id, context);
  }
}
