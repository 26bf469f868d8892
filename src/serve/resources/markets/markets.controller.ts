import { Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import {
  Instrument,
  InstrumentBars,
  InstrumentsQuery,
  InstrumentDetail,
  InstrumentKey,
  KindName,
  KindQuery,
  MarketQuery,
  type InstrumentKind,
  marketsResource,
} from './market.schema.js';
import { MarketsService } from './markets.service.js';

@ResourceController(marketsResource)
export class MarketsController {
  constructor(private readonly markets: MarketsService) {}

  @Get()
  @DescribeRoute({
    data: z.array(Instrument),
    operation: 'listInstruments',
    summary: 'Instruments',
    description:
      'Every instrument with a figure, on one page, each with its newest and previous quote. The list is empty before the first import of market figures.',
  })
  list(@Query({ schema: InstrumentsQuery }) query: InstrumentsQuery, @Context() context: RequestContext) {
    return this.markets.list(query, context);
  }

  @Get('kind/:kind')
  @DescribeRoute({
    data: z.array(InstrumentBars),
    paged: true,
    operation: 'listBars',
    tools: ['quotes'],
    summary: 'Bars of one kind',
    description:
      'Every instrument of a kind with its newest bars in a timeframe, oldest first. The service computes weeks and months from daily prices: the close is that of the last day with a price; open, high and low are null. `from`, `to` and `asOf` select the window. With `instrument`, `cursor` leads to older bars, up to the first price. If the timeframe is finer than the source prints, there are no bars, and `missing` has the reason. The list is empty for a kind without instruments.',
  })
  listBars(
    @Query({ schema: KindQuery }) query: KindQuery,
    @Param('kind', { schema: KindName }) kind: InstrumentKind,
    @Context() context: RequestContext,
  ) {
    return this.markets.listBars(kind, query, context);
  }

  @Get(':key')
  @DescribeRoute({
    data: InstrumentDetail,
    paged: true,
    operation: 'getInstrument',
    tools: ['quotes'],
    summary: 'One instrument',
    description:
      'The instrument and, in `points`, the newest figures of a window as the source prints them, oldest first; `cursor` leads to older ones. `asOf` returns quote and figures as they were known at the end of a day. `points` omits days whose price was withdrawn.',
  })
  find(
    @Query({ schema: MarketQuery }) query: MarketQuery,
    @Param('key', { schema: InstrumentKey }) key: string,
    @Context() context: RequestContext,
  ) {
    return this.markets.find(key, query, context);
  }
}
