import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import {
  Instrument,
  InstrumentBars,
  InstrumentDetail,
  InstrumentKey,
  KindName,
  KindQuery,
  MarketQuery,
  MarketsQuery,
  type InstrumentKind,
} from './market.schema.js';
import { MarketsService } from './markets.service.js';

@ApiTags('Markets')
@Controller('markets')
export class MarketsController {
  constructor(private readonly markets: MarketsService) {}

  @Get()
  @Answers({
    data: z.array(Instrument),
    operation: 'listInstruments',
    summary: 'Instruments',
    description:
      'Every instrument that has a figure, whole, each with its newest quote and the one before. Empty while no market figures are held.',
  })
  list(@Query({ schema: MarketsQuery }) _query: object, @Call() call: CallContext) {
    return this.markets.list(call);
  }

  @Get('kind/:kind')
  @Answers({
    data: z.array(InstrumentBars),
    operation: 'listBars',
    summary: 'Bars of one kind',
    description:
      'Every instrument of a kind with its newest bars in a timeframe, oldest first. Weeks and months of daily prices are rolled up here: the close is that of the last day with a price, and open, high and low are null. A frame finer than the source prints gives no bars, with `missing`. A kind without an instrument is an empty list.',
  })
  listBars(
    @Query({ schema: KindQuery }) query: KindQuery,
    @Param('kind', { schema: KindName }) kind: InstrumentKind,
    @Call() call: CallContext,
  ) {
    return this.markets.listBars(kind, query, call);
  }

  @Get(':key')
  @Answers({
    data: InstrumentDetail,
    operation: 'getInstrument',
    summary: 'One instrument',
    description:
      'The instrument and, as `points`, its newest figures as the source prints them, oldest first. A day whose price was withdrawn is not there.',
  })
  find(
    @Query({ schema: MarketQuery }) query: MarketQuery,
    @Param('key', { schema: InstrumentKey }) key: string,
    @Call() call: CallContext,
  ) {
    return this.markets.find(key, query, call);
  }
}
