import { Get, Param, Query } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { LocaleQuery } from '../parameters.schema.js';
import { BoardService } from './board.service.js';
import { EconomyBoard, IndicatorSlug, MacroQuery, MacroSeries, macroResource } from './macro.schema.js';
import { MacroService } from './macro.service.js';

@ResourceController(macroResource)
export class MacroController {
  constructor(
    private readonly macro: MacroService,
    private readonly board: BoardService,
  ) {}

  @Get('board')
  @DescribeRoute({
    data: EconomyBoard,
    operation: 'getEconomyBoard',
    summary: 'The economy board',
    description:
      'The latest figures of the headline indicators, one row per economy, each with the previous period. Also lists every indicator and region with a series, for discovery.',
  })
  showBoard(@Query({ schema: LocaleQuery }) _query: object, @Context() context: RequestContext) {
    return this.board.show(context);
  }

  @Get(':indicator')
  @DescribeRoute({
    data: MacroSeries,
    operation: 'getMacroSeries',
    tools: ['figures'],
    summary: 'Series of one indicator',
    description:
      'With `region`: the whole series of up to 30 regions, oldest first. Without it: the newest two figures of every region; `rank` sorts the regions by the newest figure. `vintages=all` returns every value that each period of one region ever had. `asOf` returns the figures as they were known at the end of a day; before the first stored vintage the series is empty, and a notice names the earliest day.',
  })
  find(
    @Query({ schema: MacroQuery }) query: MacroQuery,
    @Param('indicator', { schema: IndicatorSlug }) indicator: string,
    @Context() context: RequestContext,
  ) {
    return this.macro.find(indicator, query, context);
  }
}
