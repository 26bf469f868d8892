import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { Signal, SignalId, SignalQuery } from './signal.schema.js';
import { SignalsService } from './signals.service.js';

@ApiTags('Signals')
@Controller('signals')
export class SignalsController {
  constructor(private readonly signals: SignalsService) {}

  @Get(':id')
  @Answers({
    data: Signal,
    operation: 'getSignal',
    summary: 'One signal',
    description:
      'What a named rule has found in several changes, with the newest of them. Signals are found through search, topics and changes. One that newer figures show not to have held is gone, and answers 404.',
  })
  find(
    @Query({ schema: SignalQuery }) _query: object,
    @Param('id', { schema: SignalId }) id: string,
    @Call() call: CallContext,
  ) {
    return this.signals.find(id, call);
  }
}
