import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { CallContext } from '../../access/call-context.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { BoardService } from './board.service.js';
import { BoardQuery, EconomyBoard, IndicatorSlug, MacroQuery, MacroSeries } from './macro.schema.js';
import { MacroService } from './macro.service.js';

@ApiTags('Macro')
@Controller('macro')
export class MacroController {
  constructor(
    private readonly macro: MacroService,
    private readonly board: BoardService,
  ) {}

  @Get('board')
  @Answers({
    data: EconomyBoard,
    operation: 'getEconomyBoard',
    summary: 'The economy board',
    description:
      'The latest figures of the headline indicators, a row an economy, each with the period before. Also every indicator and region that has a series, for discovery.',
  })
  showBoard(@Query({ schema: BoardQuery }) _query: object, @Call() call: CallContext) {
    return this.board.show(call);
  }

  @Get(':indicator')
  @Answers({
    data: MacroSeries,
    operation: 'getMacroSeries',
    summary: 'Series of one indicator',
    description:
      'With `region` the whole series, oldest first; without, the latest two periods of every region. `asOf` shows the figures as they were known at the end of a day: before the first vintage held the series is empty and a notice names the earliest day.',
  })
  find(
    @Query({ schema: MacroQuery }) query: MacroQuery,
    @Param('indicator', { schema: IndicatorSlug }) indicator: string,
    @Call() call: CallContext,
  ) {
    return this.macro.find(indicator, query, call);
  }
}
