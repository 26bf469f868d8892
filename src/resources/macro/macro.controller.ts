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
      'The latest figures of the headline indicators, a row an economy, each with the period before. Also every indicator and region that has a series, for discovery.',
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
      'With `region` the whole series of up to 30 regions, oldest first; without, the newest two figures of every region, and with `rank` the regions in the order of their newest. `vintages=all` gives every value that each period of one region ever had. `asOf` shows the figures as they were known at the end of a day: before the first vintage held the series is empty and a notice names the earliest day.',
  })
  find(
    @Query({ schema: MacroQuery }) query: MacroQuery,
    @Param('indicator', { schema: IndicatorSlug }) indicator: string,
    @Context() context: RequestContext,
  ) {
    return this.macro.find(indicator, query, context);
  }
}
